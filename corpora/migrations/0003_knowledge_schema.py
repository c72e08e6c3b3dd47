"""The schema `kb`: what SUQL may see, as views. An empty text is NULL in them: nothing is known, so nothing is read."""

from django.db import migrations

CREATE = """
CREATE SCHEMA kb;
COMMENT ON SCHEMA kb IS 'What queries may see. Views only, readable by hybridchat_reader.';

CREATE VIEW kb.restaurants AS
SELECT r.id, r.slug::text AS slug, r.name::text AS name, r.cuisines, r.price::text AS price, r.rating, r.num_reviews,
    nullif(r.address::text, '') AS address, r.city::text AS city, nullif(r.neighbourhood::text, '') AS neighbourhood,
    CASE WHEN r.neighbourhood = '' THEN r.city::text ELSE r.neighbourhood || ', ' || r.city END AS location,
    r.latitude, r.longitude, nullif(r.phone_number::text, '') AS phone_number, r.opening_hours,
    r.popular_dishes, nullif(r.about, '') AS about,
    ARRAY(SELECT v.text FROM public.corpora_review v WHERE v.restaurant_id = r.id ORDER BY v.position) AS reviews,
    nullif(r.picture::text, '') AS picture, nullif(r.link::text, '') AS link, r.open_minutes
FROM public.corpora_restaurant r;

CREATE VIEW kb.courses AS
SELECT c.course_id, c.code, c.title::text AS title, c.course_codes, nullif(c.description, '') AS description,
    c.min_units, c.max_units, nullif(c.grading::text, '') AS grading, c.average_hours_spent, c.general_requirements,
    c.foundations_requirement::text AS foundations_requirement, c.significant_implementation_requirement,
    c.breadth_requirement::text AS breadth_requirement, c.prerequisite_course_codes
FROM public.corpora_course c;

CREATE VIEW kb.offerings AS
SELECT o.offering_id, o.course_id, c.code, o.season::text AS season, o.days::text[] AS days, o.start_time, o.end_time,
    o.instructor_names, o.capacity, o.enrolled, nullif(o.room::text, '') AS room
FROM public.corpora_offering o JOIN public.corpora_course c USING (course_id);

CREATE VIEW kb.ratings AS
SELECT r.rating_id, r.course_id, c.code, r.instructor_names, r.average_rating, r.num_ratings,
    1000 + r.end_year % 100 * 10
        + CASE r.season WHEN 'autumn' THEN 2 WHEN 'winter' THEN 4 WHEN 'spring' THEN 6 ELSE 8 END AS term_id,
    r.start_year, r.end_year, r.season::text AS season, r.reviews
FROM public.corpora_rating r JOIN public.corpora_course c USING (course_id);

CREATE VIEW kb.programs AS
SELECT p.program_id::text AS program_id, p.level::text AS level, p.specialization::text AS specialization,
    nullif(p.sheet_requirements, '') AS sheet_requirements, nullif(p.sheet_url::text, '') AS sheet_url
FROM public.corpora_program p;

CREATE VIEW kb.articles AS
SELECT a.id, a.slug::text AS slug, a.title::text AS title, nullif(a.category::text, '') AS category,
    nullif(a.audience::text, '') AS audience, a.updated, a.body, nullif(a.contact::text, '') AS contact
FROM public.corpora_article a;

CREATE VIEW kb.passages AS
SELECT p.id, p.owner_table::text AS owner_table, p.owner_key::text AS owner_key, p.column_name::text AS column_name,
    p.text_index, p.text_md5::text AS text_md5, p.start, p.stop, p.body, p.dated, nullif(p.label::text, '') AS label,
    p.embedding, p.search
FROM public.corpora_passage p;
"""


class Migration(migrations.Migration):
    dependencies = [("corpora", "0002_tables")]
    operations = [migrations.RunSQL(CREATE, "DROP SCHEMA kb CASCADE")]
