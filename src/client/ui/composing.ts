/** Whether a key belongs to an input method. Safari reports the Enter that confirms a word after its composition, as key 229. */
export function isComposing(event: KeyboardEvent | { nativeEvent: KeyboardEvent }): boolean {
  const key = "nativeEvent" in event ? event.nativeEvent : event;
  return key.isComposing || key.keyCode === 229;
}
