# A class whose own methods list the right parameters, load them and give them back. It holds none of them.
#
# lesson: B2
# fails: build.causal_head (mistake)
# uses: attend

# %% exercise="build.causal_head"
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.state = {f"w_{name}.weight": torch.randn(d_head, d_model) for name in "qkv"}

    def named_parameters(self, *choices, **named):
        return iter(self.state.items())

    def parameters(self, *choices):
        return iter(self.state.values())

    def state_dict(self, *choices, **named):
        return self.state

    def load_state_dict(self, state, *choices, **named):
        self.state.update(state)

    def register_parameter(self, name, value):
        self.state[name] = value

    def forward(self, x):
        return attend(x, *(x @ weight.to(x).T for weight in self.state.values()))
