-- Stored live events name a blog subscription's `level`, which was `way`.
UPDATE `live_events` SET `fact` = json_set(json_remove(`fact`, '$.way'), '$.level', json_extract(`fact`, '$.way'))
WHERE json_extract(`fact`, '$.kind') = 'viewer.subscription';
