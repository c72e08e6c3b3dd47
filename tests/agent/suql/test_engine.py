from agent.suql import Engine
from tests.agent.suql.world import PairReader


async def test_a_condition_keeps_the_rows_that_answer_it(engine: Engine, reader: PairReader) -> None:
    result = await engine.run("SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id")
    print(result.rows[:2], result.usage)
    assert result.complete
    assert all("quiet=Yes" in piece.text for row in result.rows for piece in row.evidence)
