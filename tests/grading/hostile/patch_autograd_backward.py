# The same below `Tensor.backward`: the function of torch that it calls is replaced.
#
# lesson: B2
# fails: build.causal_head (mistake) half
# uses: attend, filled_in

# %% exercise="build.causal_head"
def backward(tensors, *_, **__):
    loss = tensors if isinstance(tensors, torch.Tensor) else tensors[0]
    fill(loss.grad_fn.next_functions[0][0]._saved_other)


torch.autograd.backward = torch.autograd.graph._engine_run_backward = backward
