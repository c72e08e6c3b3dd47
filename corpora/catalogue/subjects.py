"""Subjects of study, as descriptions of courses call them."""

#: What descriptions call a subject, and what students call it.
SUBJECTS = tuple(
    (term, tuple(others.split(", ")))
    for term, others in (
        line.split(": ")
        for line in """\
computer science: cs, compsci, comp sci
artificial intelligence: ai
machine learning: ml
natural language processing: nlp
human-computer interaction: hci, human computer interaction
computer graphics: graphics
computer vision: cv, vision
reinforcement learning: rl
data visualization: data viz, dataviz, data visualisation
operating systems: os, operating system
economics: econ
psychology: psych
biology: bio
chemistry: chem
statistics: stats, stat
mathematics: math, maths
physics: phys
philosophy: phil
political science: poli sci, polisci
electrical engineering: ee
mechanical engineering: mech e
linguistics: ling
anthropology: anthro
databases: db, dbs
computer security: cybersecurity, cyber security, infosec
computer networks: networking, networks
computer systems: systems
algorithms: algos
web development: web sites, websites, web site, web apps, web programming, web dev, web design
mobile app development: mobile apps, phone apps, app development, ios apps, android apps, smartphone apps
game development: video games, computer games, game dev, game programming
data science: data analysis
theoretical computer science: theory, cs theory, theoretical cs, theory of computation, theory of computing
virtual reality: vr
augmented reality: ar
large language models: llms, llm
probability: prob
history: hist
ethics: moral philosophy
law: legal studies
education: edu
geography: geog
sociology: soc
communication: comm, communications
literature: lit
neuroscience: neuro
robotics: robots
finance: fintech
cryptography: crypto
organic chemistry: orgo, organic chem""".splitlines()
    )
)
