/** One thing that has to be in order before a process counts as ready. */
export interface ReadinessCheck {
  /** What is looked at, `cache deployments` for example. */
  readonly name: string
  /** What is wrong, in a few words without secrets: anybody who reaches the port can read it. */
  readonly problem: string | undefined
  /** What is worth knowing although it is in order. */
  readonly note?: string | undefined
}
