/** One condition for the readiness of a process. */
export interface ReadinessCheck {
  /** The subject, for example `cache deployments`. */
  readonly name: string
  /** The problem in a few words without secrets: the port has no authentication. */
  readonly problem: string | undefined
  /** A remark about a check that passed. */
  readonly note?: string | undefined
}
