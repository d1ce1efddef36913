/** Something that people should see with `kubectl describe` or `kubectl events`. */
export interface RecordedEvent {
  readonly type?: 'Normal' | 'Warning'
  /** A word in upper camel case, for programs: `ImagePullFailed`. */
  readonly reason: string
  /** A sentence, for people. */
  readonly message: string
  /** The part of the object it is about: `spec.containers{web}`. */
  readonly fieldPath?: string
  /** The node it happened on, if that matters to people. */
  readonly node?: string
  /** What it is about, if not the object of the run. */
  readonly regarding?: EventSubject
}

/** What an Event is about. */
export interface EventSubject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
  }
}
