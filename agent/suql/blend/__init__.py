"""BlendSQL's published syntax as another way to write SUQL.

BlendSQL (Glenn et al. 2024, https://github.com/parkervg/blendsql) is SQLite with *ingredients* in double braces. Each
has its counterpart here, so a query is translated to SUQL, and from then on is a query like any other: checked,
optimized and run in the same way.

    {{LLMMap('question', 'table::column')}}            answer(table.column, 'question')
    {{LLMQA('question', (SELECT …), options='a;b')}}   answer_all((SELECT …), 'question', options => ARRAY['a', 'b'])
    {{LLMValidate('claim', (SELECT …))}}               validate((SELECT …), 'claim')
    JOIN {{LLMJoin(left_on='a::x', right_on='b::y')}}  JOIN b ON same(a.x, b.y)
    {{VQA('question', 'table::image')}}                answer(table.image, 'question')
"""

from agent.suql.blend.translation import translate

__all__ = ["translate"]
