"""A tiny model folder with a random adapter on it, and the run folder around them."""

import hashlib
import json
import shutil

from tests.trainer.conftest import write_tokenizer


def write_model(folder, *, tied=True, **more):
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    write_tokenizer(folder, **more)
    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=400, hidden_size=64, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, tie_word_embeddings=tied,
        bos_token_id=None, eos_token_id=1, pad_token_id=None, max_position_embeddings=256,
    )  # fmt: skip
    network = LlamaForCausalLM(config).to(torch.bfloat16)
    with torch.no_grad():  # weights of a size at which 4 bits and an adapter both show
        for parameter in network.parameters():
            parameter.mul_(4)
    network.save_pretrained(folder)
    return folder


def write_adapter(folder, model, *, r=8, scale=0.3, **more):
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    torch.manual_seed(5)
    network = AutoModelForCausalLM.from_pretrained(model, dtype=torch.bfloat16)
    more = {"target_modules": "all-linear", **more}
    tuned = get_peft_model(network, LoraConfig(r=r, lora_alpha=16, task_type="CAUSAL_LM", **more))
    for name, parameter in tuned.named_parameters():
        if "lora_B" in name:
            parameter.data.normal_(0, scale)
    tuned.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)
    path = folder / "adapter_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"base_model_name_or_path": "tiny"}))
    return folder


def _template_of(model):
    beside = model / "chat_template.jinja"
    if beside.exists():
        return beside.read_text()
    return json.loads((model / "tokenizer_config.json").read_text()).get("chat_template", "")


def write_run(root, model, *, template="chat", method="qlora", **changes):
    from trainer.model_folder import model_hash, read_model

    run = root / "run"
    run.mkdir()
    write_adapter(run / "adapter", model)
    (run / "tokenizer").mkdir()
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        if (model / name).exists():
            shutil.copy(model / name, run / "tokenizer" / name)
    jinja = _template_of(model)
    found = read_model(model)
    value = {
        "version": 1, "status": "done", "manifest": "",
        "base": {"name": found.name, "hash": model_hash(found), "dtype": found.dtype},
        "tokenizer": {"template": template, "max_length": 256,
                      "template_hash": hashlib.sha256(jinja.encode()).hexdigest()},
        "recipe": {"method": method, "r": 8}, "seed": 42,
    }  # fmt: skip
    (run / "run.json").write_text(json.dumps(value | changes))
    return run
