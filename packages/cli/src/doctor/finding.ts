/** One thing that was looked at. */
export interface Finding {
  /** What was looked at: `access`, `definition`. */
  readonly subject: string
  readonly state: 'fine' | 'note' | 'wrong'
  readonly message: string
  /** How to mend it. */
  readonly fix?: string
}

/** It is as it should be. */
export function fine(subject: string, message: string): Finding {
  return { subject, state: 'fine', message }
}

/** It is worth knowing, and works. */
export function note(subject: string, message: string, fix: string): Finding {
  return { subject, state: 'note', message, fix }
}

/** It has to be mended. */
export function wrong(subject: string, message: string, fix: string): Finding {
  return { subject, state: 'wrong', message, fix }
}
