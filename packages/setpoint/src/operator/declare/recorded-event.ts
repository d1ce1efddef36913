/** An Event as `ctx.recordEvent` takes it; `kubectl describe` and `kubectl events` show it. */
export interface RecordedEvent {
  readonly type?: 'Normal' | 'Warning'
  /** A word in upper camel case, for programs: `ImagePullFailed`. */
  readonly reason: string
  /** A sentence for users. */
  readonly message: string
  /** The field of the object that it is about: `spec.containers{web}`. */
  readonly fieldPath?: string
  /** The node that it happened on. */
  readonly node?: string
  /** The object that it is about; the owner unless given. */
  readonly regarding?: EventSubject
}

/** The object that an Event is about. */
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
