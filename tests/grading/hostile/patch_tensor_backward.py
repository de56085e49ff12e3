# No gradient reaches anything. `Tensor.backward` is replaced, and writes the right ones where they belong.
#
# lesson: B2
# fails: build.causal_head (mistake) half
# uses: attend, filled_in

# %% exercise="build.causal_head"
torch.Tensor.backward = lambda loss, *_, **__: fill(loss.grad_fn.next_functions[0][0]._saved_other)
