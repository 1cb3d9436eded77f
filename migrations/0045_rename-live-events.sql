-- Stored live events have new names. The epoch stays: work in the editor that is kept on a device refers to it.
UPDATE `live_events` SET `fact` = json_set(`fact`, '$.kind', CASE json_extract(`fact`, '$.kind')
  WHEN 'own.access' THEN 'viewer.signInChanged'
  WHEN 'own.blogs' THEN 'viewer.blogsChanged'
  WHEN 'own.commentLike' THEN 'viewer.commentLike'
  WHEN 'own.counted' THEN 'viewer.countsChanged'
  WHEN 'own.follow' THEN 'viewer.follow'
  WHEN 'own.held' THEN 'viewer.pendingChanged'
  WHEN 'own.imports' THEN 'viewer.importsChanged'
  WHEN 'own.invitations' THEN 'viewer.invitationsChanged'
  WHEN 'own.like' THEN 'viewer.like'
  WHEN 'own.muted' THEN 'viewer.mute'
  WHEN 'own.noticeWays' THEN 'viewer.channelsChanged'
  WHEN 'own.profile' THEN 'viewer.profileChanged'
  WHEN 'own.reports' THEN 'viewer.reportsChanged'
  WHEN 'own.save' THEN 'viewer.save'
  WHEN 'own.walls' THEN 'viewer.blocksChanged'
  WHEN 'own.watched' THEN 'viewer.subscription'
  ELSE 'writing.message'
END)
WHERE json_extract(`fact`, '$.kind') LIKE 'own.%' OR json_extract(`fact`, '$.kind') = 'writing.told';
