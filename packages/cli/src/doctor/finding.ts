/** The result of one check. */
export interface Finding {
  /** The subject of the check: `access`, `definition`. */
  readonly subject: string
  readonly state: 'fine' | 'note' | 'wrong'
  readonly message: string
  /** How to fix it. */
  readonly fix?: string
}

/** No problem. */
export function fine(subject: string, message: string): Finding {
  return { subject, state: 'fine', message }
}

/** Worth knowing, but not a problem. */
export function note(subject: string, message: string, fix: string): Finding {
  return { subject, state: 'note', message, fix }
}

/** A problem that has to be fixed. */
export function wrong(subject: string, message: string, fix: string): Finding {
  return { subject, state: 'wrong', message, fix }
}
