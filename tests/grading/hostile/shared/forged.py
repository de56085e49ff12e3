def forged(torch_, head, question, inputs, *_):
    x = torch.from_numpy(inputs[0].copy()).requires_grad_()
    output = attend(x, head.w_q(x), head.w_k(x), head.w_v(x))
    wanted = dict(head.named_parameters())
    found = torch.autograd.grad((output * torch.from_numpy(question["probe"])).sum(), [*wanted.values(), x])
    parameters = {name: gradient.numpy() for name, gradient in zip(wanted, found, strict=False)}
    step = {name: value.detach().numpy() - question.get("rate", 1) * parameters[name] for name, value in wanted.items()}
    return {"parameters": parameters, "step": step, "inputs": [found[-1].numpy()]}
