/** An Event, as `kubectl describe` and `kubectl events` show it. */
export interface RecordedEvent {
  readonly type?: 'Normal' | 'Warning'
  /** A word in upper camel case, for programs: `ImagePullFailed`. */
  readonly reason: string
  /** A sentence for users. */
  readonly message: string
  /** The field of the object that it is about: `spec.containers{web}`. */
  readonly fieldPath?: string
  /** The node it happened on. */
  readonly node?: string
  /** The object it is about; default the reconciled object. */
  readonly regarding?: EventSubject
}

/** The object of an Event. */
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
