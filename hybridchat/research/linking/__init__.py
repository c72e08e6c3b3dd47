"""Learning the linker (`agent.understanding.linker`): labels from gold queries, examples, the network, the steps."""
