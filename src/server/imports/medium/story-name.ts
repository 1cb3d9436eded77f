/** The file of a story, as `2020-01-02_Some-words-0123456789ab.html`. */
export const storyName = /(?:^|\/)(?:\d{4}-\d\d-\d\d|draft)_([^/]*?)-+[\da-f]{9,12}\.html?$/i;
