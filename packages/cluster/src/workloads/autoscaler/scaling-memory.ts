/** A number of replicas that metrics asked for. */
interface Recommendation {
  readonly replicas: number
  readonly atMs: number
}

/** What an autoscaler remembers: what it was asked for lately, and what it has changed. */
export class ScalingMemory {
  #recommendations: Recommendation[] = []
  #changes: { readonly by: number; readonly atMs: number }[] = []
  /** When the autoscaler is looked at next. */
  nextMs: number
  /** The pods that it scales, as a selector. */
  selector = ''

  constructor(nextMs: number) {
    this.nextMs = nextMs
  }

  get recommendations(): readonly Recommendation[] {
    return this.#recommendations
  }

  /** The replicas that were there at first count as if they had been asked for. */
  begin(replicas: number, atMs: number): void {
    if (this.#recommendations.length === 0) this.#recommendations.push({ replicas, atMs })
  }

  /** Remembers what was asked for, and forgets what is older than the window. */
  recommend(replicas: number, atMs: number, windowMs: number): void {
    this.#recommendations = this.#recommendations.filter((one) => one.atMs >= atMs - windowMs)
    this.#recommendations.push({ replicas, atMs })
  }

  /** Remembers that the replicas were changed, until no policy can ask about it. */
  changed(by: number, atMs: number): void {
    this.#changes = this.#changes.filter((one) => one.atMs > atMs - longestPeriodMs)
    this.#changes.push({ by, atMs })
  }

  /** By how much the replicas were changed after a moment. */
  changeSince(atMs: number): number {
    return this.#changes.filter((one) => one.atMs > atMs).reduce((total, { by }) => total + by, 0)
  }
}

/** The longest period that a policy can have. */
const longestPeriodMs = 1_800_000
