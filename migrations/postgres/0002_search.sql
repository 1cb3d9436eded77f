-- The search index, which migrations/0000_store.sql has as full-text tables of SQLite. Words, and pieces of three characters, have weights by
-- where they are: A title and username, B tags and name, C description and bio, D text. Entries of live blogs are in the index of blogs,
-- under their numbers less 1099511627776: far below those of blogs.
CREATE TABLE blog_index (number bigint PRIMARY KEY, words tsvector NOT NULL, pieces tsvector NOT NULL);
--> statement-breakpoint
CREATE TABLE people_index (number bigint PRIMARY KEY, words tsvector NOT NULL, pieces tsvector NOT NULL);
--> statement-breakpoint
-- Without a list of pending entries, which each search would have to read whole.
CREATE INDEX blog_index_words ON blog_index USING gin (words) WITH (fastupdate = off);
--> statement-breakpoint
CREATE INDEX blog_index_pieces ON blog_index USING gin (pieces) WITH (fastupdate = off);
--> statement-breakpoint
CREATE INDEX people_index_words ON people_index USING gin (words) WITH (fastupdate = off);
--> statement-breakpoint
CREATE INDEX people_index_pieces ON people_index USING gin (pieces) WITH (fastupdate = off);
--> statement-breakpoint
-- What has changed in a transaction. The writer indexes it before the commit (src/server/database/postgres-search-index.ts).
CREATE TABLE search_pending (kind text COLLATE "C" NOT NULL, number bigint NOT NULL, PRIMARY KEY (kind, number));
--> statement-breakpoint
CREATE FUNCTION request_indexing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO search_pending (kind, number) VALUES (TG_ARGV[0], coalesce(NEW.seq, OLD.seq) - TG_ARGV[1]::bigint)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER blogs_search_insert AFTER INSERT ON blogs FOR EACH ROW
WHEN (NEW.draft = 0) EXECUTE FUNCTION request_indexing('blogs', '0');
--> statement-breakpoint
CREATE TRIGGER blogs_search_delete AFTER DELETE ON blogs FOR EACH ROW
WHEN (OLD.draft = 0) EXECUTE FUNCTION request_indexing('blogs', '0');
--> statement-breakpoint
-- Likes and counts change a blog's row, too, and index nothing.
CREATE TRIGGER blogs_search_update AFTER UPDATE OF title, description, tags, text, draft ON blogs FOR EACH ROW
WHEN ((OLD.title, OLD.description, OLD.tags, OLD.text, OLD.draft) IS DISTINCT FROM (NEW.title, NEW.description, NEW.tags, NEW.text, NEW.draft)
  AND (OLD.draft = 0 OR NEW.draft = 0))
EXECUTE FUNCTION request_indexing('blogs', '0');
--> statement-breakpoint
CREATE TRIGGER entries_search_insert AFTER INSERT ON entries FOR EACH ROW
WHEN (NEW.withdrawn_at IS NULL) EXECUTE FUNCTION request_indexing('blogs', '1099511627776');
--> statement-breakpoint
CREATE TRIGGER entries_search_delete AFTER DELETE ON entries FOR EACH ROW
WHEN (OLD.withdrawn_at IS NULL) EXECUTE FUNCTION request_indexing('blogs', '1099511627776');
--> statement-breakpoint
CREATE TRIGGER entries_search_update AFTER UPDATE OF title, text, withdrawn_at ON entries FOR EACH ROW
WHEN ((OLD.title, OLD.text, OLD.withdrawn_at IS NULL) IS DISTINCT FROM (NEW.title, NEW.text, NEW.withdrawn_at IS NULL)
  AND (OLD.withdrawn_at IS NULL OR NEW.withdrawn_at IS NULL))
EXECUTE FUNCTION request_indexing('blogs', '1099511627776');
--> statement-breakpoint
CREATE TRIGGER users_search_insert AFTER INSERT ON users FOR EACH ROW
WHEN (NEW.verified_at IS NOT NULL) EXECUTE FUNCTION request_indexing('people', '0');
--> statement-breakpoint
CREATE TRIGGER users_search_delete AFTER DELETE ON users FOR EACH ROW
WHEN (OLD.verified_at IS NOT NULL) EXECUTE FUNCTION request_indexing('people', '0');
--> statement-breakpoint
CREATE TRIGGER users_search_update AFTER UPDATE OF name, username, bio, verified_at ON users FOR EACH ROW
WHEN ((OLD.name, OLD.username, OLD.bio, OLD.verified_at IS NULL) IS DISTINCT FROM (NEW.name, NEW.username, NEW.bio, NEW.verified_at IS NULL))
EXECUTE FUNCTION request_indexing('people', '0');
