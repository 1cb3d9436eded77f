-- The table `tags` is neither written nor read any more: a blog's tags stand in its own row. What is in the table stays,
-- and goes with its blogs; the schema's description of the store no longer has it.
UPDATE tags SET tag = tag WHERE false;
