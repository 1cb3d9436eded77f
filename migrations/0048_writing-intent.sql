-- Working copies of earlier releases lack the field "intent": they leave the blog as it is.
UPDATE `writings` SET `fields` = json_set(`fields`, '$.intent', json('null'));
