"""What people ask of help articles, and `kb.articles` with it."""

import django.db.models.deletion
from django.db import migrations, models

BEFORE = """
SELECT a.id, a.slug::text AS slug, a.title::text AS title, nullif(a.category::text, '') AS category,
    nullif(a.audience::text, '') AS audience, a.updated, a.body, nullif(a.contact::text, '') AS contact"""

ASKED = "ARRAY(SELECT q.text::text FROM public.corpora_articlequestion q WHERE q.article_id = a.id ORDER BY q.id) AS questions"
FROM = "FROM public.corpora_article a"

WITH_QUESTIONS = f"CREATE OR REPLACE VIEW kb.articles AS {BEFORE}, {ASKED} {FROM}"
WITHOUT = f"""
DROP VIEW kb.articles;
CREATE VIEW kb.articles AS {BEFORE} {FROM};
GRANT SELECT ON kb.articles TO hybridchat_reader;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0011_vectors_of_texts"),
    ]

    operations = [
        migrations.CreateModel(
            name="ArticleQuestion",
            fields=[
                ("id", models.AutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "text",
                    models.CharField(
                        help_text="As people ask who do not know the article's words.",
                        max_length=300,
                        verbose_name="question",
                    ),
                ),
                (
                    "quote",
                    models.TextField(
                        help_text="Copied from the body: one sentence, or a few that follow.",
                        verbose_name="answered by",
                    ),
                ),
                (
                    "article",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="questions", to="corpora.article"
                    ),
                ),
            ],
            options={
                "verbose_name": "question people ask",
                "verbose_name_plural": "questions people ask",
                "ordering": ("article", "id"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True),
                        name="article_question_text_filled",
                        violation_error_message="text is empty.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("quote", ""), _negated=True),
                        name="article_question_quote_filled",
                        violation_error_message="quote is empty.",
                    ),
                    models.UniqueConstraint(fields=("article", "text"), name="article_question_once"),
                ],
            },
        ),
        migrations.RunSQL(WITH_QUESTIONS, WITHOUT),
    ]
