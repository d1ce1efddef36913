/** Something that people should see with `kubectl describe` or `kubectl events`. */
export interface RecordedEvent {
  readonly type?: 'Normal' | 'Warning'
  /** A word in upper camel case, for programs: `ImagePullFailed`. */
  readonly reason: string
  /** A sentence, for people. */
  readonly note: string
}
