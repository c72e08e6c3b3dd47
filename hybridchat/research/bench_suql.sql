-- The queries of `bench suql`, parted by empty lines. The first line of each names it and may give a number of rows.
-- The lower bound of values is computed from the known answers (see bench_bounds). Where a query is of several SELECTs
-- that depend on each other, `needs` lines say which texts a question has to be asked of, as queries themselves.

-- one condition
SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes'

-- a condition that must not hold
SELECT id FROM venues WHERE NOT answer(about, 'rare?') = 'Yes'

-- after a structured condition
SELECT id FROM venues WHERE city = 'City 3' AND answer(about, 'quiet?') = 'Yes'

-- a structured alternative
SELECT id FROM venues WHERE city = 'City 3' OR answer(about, 'quiet?') = 'Yes'

-- structured conditions around
SELECT id FROM venues WHERE (city = 'City 3' OR answer(about, 'kids?') = 'Yes') AND stars > 3

-- two conditions, the telling one last
SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' AND answer(about, 'rare?') = 'Yes'

-- two conditions, the telling one first
SELECT id FROM venues WHERE answer(about, 'rare?') = 'Yes' AND answer(about, 'quiet?') = 'Yes'

-- three conditions
SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' AND answer(about, 'kids?') = 'Yes' AND answer(about, 'rare?') = 'Yes'

-- two columns
SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' AND answer(notes, 'kids?') = 'Yes'

-- few different texts first
SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' AND answer(guide, 'quiet?') = 'Yes'

-- few different texts, though less telling
SELECT id FROM venues WHERE answer(about, 'rare?') = 'Yes' AND answer(guide, 'quiet?') = 'Yes'

-- one of two
SELECT id FROM venues WHERE answer(about, 'rare?') = 'Yes' OR answer(about, 'quiet?') = 'Yes'

-- one of three
SELECT id FROM venues WHERE answer(about, 'rare?') = 'Yes' OR answer(about, 'kids?') = 'Yes' OR answer(about, 'quiet?') = 'Yes'

-- one of two pairs
SELECT id FROM venues WHERE (answer(about, 'quiet?') = 'Yes' AND answer(about, 'kids?') = 'Yes') OR (answer(about, 'rare?') = 'Yes' AND answer(about, 'wait?') > 30)

-- each of two pairs
SELECT id FROM venues WHERE (answer(about, 'quiet?') = 'Yes' OR answer(about, 'kids?') = 'Yes') AND (answer(about, 'rare?') = 'Yes' OR answer(about, 'wait?') > 50)

-- the same condition twice
SELECT id FROM venues WHERE (answer(about, 'quiet?') = 'Yes' AND stars > 3) OR (answer(about, 'quiet?') = 'Yes' AND city = 'City 1')

-- a condition and its opposite
SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' AND NOT answer(about, 'quiet?') = 'Yes'

-- a number
SELECT id FROM venues WHERE answer(about, 'wait?') < 12

-- a range of numbers and a word
SELECT id FROM venues WHERE answer(about, 'wait?')::int BETWEEN 10 AND 20 AND answer(about, 'mood?') IN ('calm', 'formal')

-- a date
SELECT id FROM venues WHERE answer(about, 'opened?')::date > '2020-01-01' AND city = 'City 2'

-- no word
SELECT id FROM venues WHERE answer(about, 'pool?') IS NOT NULL AND stars >= 4

-- shown for those that are left
SELECT id, summary(about), answer(about, 'mood?') FROM venues WHERE answer(about, 'rare?') = 'Yes'

-- shown and asked
SELECT id, answer(about, 'quiet?') FROM venues WHERE answer(about, 'quiet?') = 'Yes' AND city = 'City 4'

-- only shown
SELECT id, answer(about, 'mood?') FROM venues WHERE stars > 4

-- shown twice
SELECT id, answer(about, 'wait?')::int, answer(about, 'wait?')::int * 2 FROM venues WHERE stars > 4

-- shown in a case
SELECT id, CASE WHEN stars > 4 THEN answer(about, 'mood?') ELSE name END FROM venues
-- needs mood?: SELECT about FROM venues WHERE stars > 4

-- a case among conditions
SELECT id FROM venues WHERE CASE WHEN stars > 3 THEN answer(about, 'rare?') = 'Yes' ELSE city = 'City 1' END
-- needs rare?: SELECT about FROM venues WHERE stars > 3

-- the first that is known
SELECT id, coalesce(nullif(name, 'Venue 5'), answer(about, 'mood?')) FROM venues
-- needs mood?: SELECT about FROM venues WHERE name = 'Venue 5'

-- the first that is said
SELECT id, coalesce(answer(about, 'pool?'), answer(about, 'mood?')) FROM venues WHERE city = 'City 5'

-- a count
SELECT count(*) FROM venues WHERE answer(about, 'quiet?') = 'Yes'

-- a count, cut
SELECT count(*) FROM venues WHERE answer(about, 'rare?') = 'Yes' AND answer(about, 'quiet?') = 'Yes' LIMIT 1

-- groups of what is said
SELECT answer(about, 'mood?') AS mood, count(*) FROM venues GROUP BY mood

-- groups of what few texts say
SELECT answer(guide, 'mood?') AS mood, avg(stars) FROM venues GROUP BY mood

-- groups after a condition
SELECT city, count(*) FROM venues WHERE answer(about, 'rare?') = 'Yes' GROUP BY city HAVING count(*) > 3

-- a mean of what is said
SELECT city, avg(answer(about, 'wait?')::int) FROM venues WHERE stars > 3 GROUP BY city

-- a text put together
SELECT city FROM venues WHERE stars > 4 GROUP BY city HAVING answer(string_agg(about, '; ' ORDER BY id), 'quiet?') = 'Yes'
-- needs quiet?: SELECT string_agg(about, '; ' ORDER BY id) FROM venues WHERE stars > 4 GROUP BY city

-- a few, in order
SELECT id FROM venues WHERE answer(about, 'rare?') = 'Yes' ORDER BY id LIMIT 3

-- a few, the best
SELECT id, name FROM venues WHERE answer(about, 'quiet?') = 'Yes' AND answer(about, 'kids?') = 'Yes' ORDER BY stars DESC, id LIMIT 5

-- a few, later ones
SELECT id FROM venues WHERE answer(about, 'kids?') = 'Yes' ORDER BY id LIMIT 5 OFFSET 10

-- a few of either
SELECT id FROM venues WHERE answer(about, 'rare?') = 'Yes' OR answer(about, 'kids?') = 'Yes' ORDER BY id LIMIT 6

-- a few, with what is shown
SELECT id, summary(about) FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY stars DESC, id LIMIT 4

-- a few, as many as a sum
SELECT id FROM venues WHERE answer(about, 'kids?') = 'Yes' ORDER BY id LIMIT 1 + 2

-- different values
SELECT DISTINCT city FROM venues WHERE answer(about, 'rare?') = 'Yes'
-- needs rare?: SELECT t.about FROM (SELECT about, sum(CASE WHEN answer(about, 'rare?') = 'Yes' THEN 1 ELSE 0 END) OVER (PARTITION BY city ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM venues) AS t WHERE coalesce(t.seen, 0) = 0

-- a few different values
SELECT DISTINCT city FROM venues WHERE answer(about, 'rare?') = 'Yes' ORDER BY city LIMIT 2
-- needs rare?: SELECT t.about FROM (SELECT about, city, sum(CASE WHEN answer(about, 'rare?') = 'Yes' THEN 1 ELSE 0 END) OVER (PARTITION BY city ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM venues) AS t WHERE coalesce(t.seen, 0) = 0 AND t.city IN ('City 0', 'City 1')

-- by what is said
SELECT id FROM venues WHERE city = 'City 6' ORDER BY answer(about, 'wait?')::int, id LIMIT 5

-- by a column, then by what is said
SELECT id FROM venues ORDER BY stars DESC, answer(about, 'wait?')::int, id LIMIT 5
-- needs wait?: SELECT about FROM venues WHERE stars >= (SELECT min(t.stars) FROM (SELECT stars FROM venues ORDER BY stars DESC LIMIT 5) AS t)

-- those that hold, by what is said
SELECT id FROM venues WHERE answer(about, 'rare?') = 'Yes' ORDER BY answer(about, 'wait?')::int, id LIMIT 5

-- a join, asked on one side
SELECT v.id, e.id FROM venues v JOIN events e ON e.venue_id = v.id WHERE v.city = 'City 1' AND answer(e.blurb, 'kids?') = 'Yes'

-- a join, asked on both sides
SELECT v.id, e.id FROM venues v JOIN events e ON e.venue_id = v.id WHERE answer(v.about, 'quiet?') = 'Yes' AND answer(e.blurb, 'rare?') = 'Yes'

-- a join, one side with few texts
SELECT v.id, e.id FROM venues v JOIN events e ON e.venue_id = v.id WHERE answer(v.guide, 'quiet?') = 'Yes' AND answer(e.blurb, 'kids?') = 'Yes'

-- a condition of a join
SELECT v.id, e.id FROM venues v JOIN events e ON e.venue_id = v.id AND answer(e.blurb, 'rare?') = 'Yes' WHERE v.stars > 4

-- a condition of an outer join
SELECT v.id, e.id FROM venues v LEFT JOIN events e ON e.venue_id = v.id AND answer(e.blurb, 'rare?') = 'Yes' WHERE v.city = 'City 2'
-- needs rare?: SELECT e.blurb FROM venues v JOIN events e ON e.venue_id = v.id WHERE v.city = 'City 2'

-- a table with itself
SELECT a.id, b.id FROM venues a JOIN venues b ON b.id = a.id + 1 WHERE a.city = 'City 1' AND answer(a.about, 'quiet?') = 'Yes' AND answer(b.about, 'quiet?') = 'No'

-- each note
SELECT v.id, n FROM venues v, unnest(v.notes) AS n WHERE answer(n, 'rare?') = 'Yes' AND v.stars > 3

-- in a subquery
SELECT id FROM venues WHERE city = 'City 1' AND id IN (SELECT venue_id FROM events WHERE answer(blurb, 'rare?') = 'Yes')
-- needs rare?: SELECT t.blurb FROM (SELECT e.blurb, sum(CASE WHEN answer(e.blurb, 'rare?') = 'Yes' THEN 1 ELSE 0 END) OVER (PARTITION BY v.id ORDER BY e.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM venues v JOIN events e ON e.venue_id = v.id WHERE v.city = 'City 1') AS t WHERE coalesce(t.seen, 0) = 0

-- not in a subquery
SELECT id FROM venues WHERE city = 'City 1' AND id NOT IN (SELECT venue_id FROM events WHERE answer(blurb, 'kids?') = 'Yes')
-- needs kids?: SELECT t.blurb FROM (SELECT e.blurb, sum(CASE WHEN answer(e.blurb, 'kids?') = 'Yes' THEN 1 ELSE 0 END) OVER (PARTITION BY v.id ORDER BY e.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM venues v JOIN events e ON e.venue_id = v.id WHERE v.city = 'City 1') AS t WHERE coalesce(t.seen, 0) = 0

-- there is one
SELECT id FROM venues v WHERE v.stars > 4 AND EXISTS (SELECT 1 FROM events e WHERE e.venue_id = v.id AND answer(e.blurb, 'kids?') = 'Yes')
-- needs kids?: SELECT t.blurb FROM (SELECT e.blurb, sum(CASE WHEN answer(e.blurb, 'kids?') = 'Yes' THEN 1 ELSE 0 END) OVER (PARTITION BY v.id ORDER BY e.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM venues v JOIN events e ON e.venue_id = v.id WHERE v.stars > 4) AS t WHERE coalesce(t.seen, 0) = 0

-- there is none
SELECT id FROM venues v WHERE v.stars > 4 AND NOT EXISTS (SELECT 1 FROM events e WHERE e.venue_id = v.id AND answer(e.blurb, 'quiet?') = 'Yes')
-- needs quiet?: SELECT t.blurb FROM (SELECT e.blurb, sum(CASE WHEN answer(e.blurb, 'quiet?') = 'Yes' THEN 1 ELSE 0 END) OVER (PARTITION BY v.id ORDER BY e.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM venues v JOIN events e ON e.venue_id = v.id WHERE v.stars > 4) AS t WHERE coalesce(t.seen, 0) = 0

-- one note is enough
SELECT id FROM venues v WHERE v.city = 'City 7' AND EXISTS (SELECT 1 FROM unnest(v.notes) AS n WHERE answer(n, 'quiet?') = 'Yes')
-- needs quiet?: SELECT t.n FROM (SELECT n, sum(CASE WHEN answer(n, 'quiet?') = 'Yes' THEN 1 ELSE 0 END) OVER (PARTITION BY v.id ORDER BY answer(n, 'wait?')::int ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM venues v, unnest(v.notes) AS n WHERE v.city = 'City 7') AS t WHERE coalesce(t.seen, 0) = 0

-- there is any at all
SELECT name FROM venues WHERE id < 20 AND EXISTS (SELECT 1 FROM events WHERE answer(blurb, 'rare?') = 'Yes')
-- needs rare?: SELECT t.blurb FROM (SELECT blurb, sum(CASE WHEN answer(blurb, 'rare?') = 'Yes' THEN 1 ELSE 0 END) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM events) AS t WHERE coalesce(t.seen, 0) = 0

-- a condition, then a subquery
SELECT id FROM venues v WHERE answer(v.about, 'rare?') = 'Yes' AND EXISTS (SELECT 1 FROM events e WHERE e.venue_id = v.id AND answer(e.blurb, 'kids?') = 'Yes')
-- needs rare?: SELECT v.about FROM venues v WHERE EXISTS (SELECT 1 FROM events e WHERE e.venue_id = v.id)
-- needs kids?: SELECT t.blurb FROM (SELECT e.blurb, sum(CASE WHEN answer(e.blurb, 'kids?') = 'Yes' THEN 1 ELSE 0 END) OVER (PARTITION BY v.id ORDER BY e.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM venues v JOIN events e ON e.venue_id = v.id WHERE answer(v.about, 'rare?') = 'Yes') AS t WHERE coalesce(t.seen, 0) = 0

-- a mean to compare with
SELECT id FROM venues WHERE city = 'City 1' AND stars > (SELECT avg(stars) FROM venues WHERE city = 'City 2' AND answer(about, 'kids?') = 'Yes')

-- a value for each
SELECT v.id, (SELECT count(*) FROM events e WHERE e.venue_id = v.id AND answer(e.blurb, 'kids?') = 'Yes') FROM venues v WHERE v.city = 'City 3' AND v.stars > 4
-- needs kids?: SELECT e.blurb FROM venues v JOIN events e ON e.venue_id = v.id WHERE v.city = 'City 3' AND v.stars > 4

-- the latest for each
SELECT v.id, (SELECT e.title FROM events e WHERE e.venue_id = v.id AND answer(e.blurb, 'quiet?') = 'Yes' ORDER BY e.id DESC LIMIT 1) FROM venues v WHERE v.city = 'City 3'
-- needs quiet?: SELECT t.blurb FROM (SELECT e.blurb, sum(CASE WHEN answer(e.blurb, 'quiet?') = 'Yes' THEN 1 ELSE 0 END) OVER (PARTITION BY v.id ORDER BY e.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM venues v JOIN events e ON e.venue_id = v.id WHERE v.city = 'City 3') AS t WHERE coalesce(t.seen, 0) = 0

-- lateral, the latest for each
SELECT v.id, x.title FROM venues v, LATERAL (SELECT e.title FROM events e WHERE e.venue_id = v.id AND answer(e.blurb, 'quiet?') = 'Yes' ORDER BY e.id DESC LIMIT 1) AS x WHERE v.city = 'City 4'
-- needs quiet?: SELECT t.blurb FROM (SELECT e.blurb, sum(CASE WHEN answer(e.blurb, 'quiet?') = 'Yes' THEN 1 ELSE 0 END) OVER (PARTITION BY v.id ORDER BY e.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM venues v JOIN events e ON e.venue_id = v.id WHERE v.city = 'City 4') AS t WHERE coalesce(t.seen, 0) = 0

-- conditions outside of a subquery
SELECT t.id FROM (SELECT id, about, stars, city FROM venues) AS t WHERE t.city = 'City 1' AND answer(t.about, 'kids?') = 'Yes'

-- an outer condition on an inner answer
SELECT t.id FROM (SELECT id, city, answer(about, 'mood?') AS mood FROM venues) AS t WHERE t.city = 'City 1' AND t.mood = 'calm'
-- needs mood?: SELECT about FROM venues WHERE city = 'City 1'

-- a step of WITH that is cut down later
WITH q AS (SELECT id, city, stars FROM venues WHERE answer(about, 'kids?') = 'Yes') SELECT id FROM q WHERE city = 'City 1' AND stars > 3
-- needs kids?: SELECT about FROM venues WHERE city = 'City 1' AND stars > 3

-- a step of WITH that nobody uses
WITH q AS (SELECT id FROM venues WHERE answer(about, 'kids?') = 'Yes') SELECT id FROM venues WHERE answer(about, 'rare?') = 'Yes' AND stars > 3
-- needs rare?: SELECT about FROM venues WHERE stars > 3

-- a column that nobody uses
SELECT t.id FROM (SELECT id, answer(about, 'mood?') AS mood FROM venues WHERE stars > 2) AS t WHERE t.id < 50
-- needs mood?: SELECT about FROM venues WHERE FALSE

-- an outer join that changes nothing
SELECT v.id FROM venues v LEFT JOIN labels l ON l.id = v.id AND answer(v.guide, 'kids?') = 'Yes' WHERE answer(v.about, 'rare?') = 'Yes' AND v.stars > 3
-- needs rare?: SELECT about FROM venues WHERE stars > 3

-- a step of WITH, twice
WITH q AS (SELECT id, city FROM venues WHERE answer(about, 'rare?') = 'Yes') SELECT a.id, b.id FROM q AS a JOIN q AS b ON b.city = a.city AND b.id > a.id WHERE a.id < 200

-- one or the other, put together
SELECT id FROM venues WHERE answer(about, 'rare?') = 'Yes' AND city = 'City 1' UNION SELECT venue_id FROM events WHERE answer(blurb, 'rare?') = 'Yes' AND price > 30

-- the one without the other
SELECT id FROM venues WHERE city = 'City 1' EXCEPT SELECT id FROM venues WHERE answer(about, 'kids?') = 'Yes'
-- needs kids?: SELECT about FROM venues WHERE city = 'City 1'

-- what both have
SELECT id FROM venues WHERE city = 'City 1' INTERSECT SELECT venue_id FROM events WHERE answer(blurb, 'rare?') = 'Yes'
-- needs rare?: SELECT t.blurb FROM (SELECT e.blurb, sum(CASE WHEN answer(e.blurb, 'rare?') = 'Yes' THEN 1 ELSE 0 END) OVER (PARTITION BY e.venue_id ORDER BY e.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM events e JOIN venues v ON v.id = e.venue_id WHERE v.city = 'City 1') AS t WHERE coalesce(t.seen, 0) = 0

-- one of each
SELECT DISTINCT ON (city) city, id FROM venues WHERE answer(about, 'kids?') = 'Yes' ORDER BY city, id
-- needs kids?: SELECT t.about FROM (SELECT about, sum(CASE WHEN answer(about, 'kids?') = 'Yes' THEN 1 ELSE 0 END) OVER (PARTITION BY city ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM venues) AS t WHERE coalesce(t.seen, 0) = 0

-- ranked in a window
SELECT id, row_number() OVER (ORDER BY stars DESC, id) FROM venues WHERE answer(about, 'rare?') = 'Yes' AND city = 'City 2'

-- always true
SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' OR 1 = 1
-- needs quiet?: SELECT about FROM venues WHERE FALSE

-- never true
SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' AND 1 > 2
-- needs quiet?: SELECT about FROM venues WHERE FALSE

-- whether there are any
SELECT EXISTS (SELECT 1 FROM venues WHERE answer(about, 'rare?') = 'Yes')
-- needs rare?: SELECT t.about FROM (SELECT about, sum(CASE WHEN answer(about, 'rare?') = 'Yes' THEN 1 ELSE 0 END) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen FROM venues) AS t WHERE coalesce(t.seen, 0) = 0

-- a join by meaning
SELECT l.id, e.id FROM labels l JOIN events e ON same(l.word, e.title) WHERE e.price > 30
-- pairs: SELECT DISTINCT l.word, e.title FROM labels l, events e WHERE e.price > 30
