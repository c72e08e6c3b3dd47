"""What is remembered of the work of language models: answers, so that none is paid for twice, and every call."""

from __future__ import annotations

from django.db import models

from corpora.models.columns import at_least


class AnswerMemo(models.Model):
    """One memoised value, by the hash of everything it depends on (text, question, type, model, prompt version)."""

    key = models.CharField(max_length=128, primary_key=True)
    value = models.JSONField()
    created = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ("-created",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(key__regex=r"^[0-9a-f]{16,128}$"),
                name="memo_key_is_a_hash",
                violation_error_message="The key is no hash in hexadecimal.",
            ),
        )

    def __str__(self) -> str:
        return self.key[:12]


class ModelCall(models.Model):
    """One call to a language model, as `agent.backends.CallRecord` describes it."""

    id = models.BigAutoField(primary_key=True)
    created = models.DateTimeField(auto_now_add=True, db_index=True)
    turn = models.UUIDField(null=True, blank=True, db_index=True, help_text="The turn that caused it, if any.")
    task = models.CharField(max_length=50)
    model = models.CharField(max_length=200)
    prompt_hash = models.CharField(max_length=64, blank=True)
    prompt_tokens = models.IntegerField(default=0)
    completion_tokens = models.IntegerField(default=0)
    cost = models.FloatField("cost (US dollars)", default=0.0)
    milliseconds = models.FloatField(default=0.0)
    cached = models.BooleanField(default=False)
    error = models.TextField(blank=True)
    items = models.IntegerField(default=1)

    class Meta:
        ordering = ("-created",)
        constraints = (
            at_least("prompt_tokens", 0, name="call_prompt_tokens_not_negative"),
            at_least("completion_tokens", 0, name="call_completion_tokens_not_negative"),
            at_least("cost", 0, name="call_cost_not_negative"),
            at_least("milliseconds", 0, name="call_time_not_negative"),
        )

    def __str__(self) -> str:
        return f"{self.task} with {self.model}"


class TextVector(models.Model):
    """The vector of a text that some encoder computed once."""

    key = models.CharField(max_length=64, primary_key=True, help_text="Hash of encoder and text.")
    rows = models.BinaryField(help_text="Its numbers, in half precision.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(key__regex=r"^[0-9a-f]{32,64}$"),
                name="text_vector_key_is_a_hash",
                violation_error_message="The key is no hash in hexadecimal.",
            ),
        )

    def __str__(self) -> str:
        return self.key[:12]
