/** The replicas that the metrics asked for, and when. */
interface Recommendation {
  readonly replicas: number
  readonly atMs: number
}

/** The recent recommendations and changes of an autoscaler. */
export class RecommendationHistory {
  #recommendations: Recommendation[] = []
  #changes: { readonly by: number; readonly atMs: number }[] = []
  /** The time of the next evaluation. */
  nextMs: number
  /** The selector of the pods that it scales. */
  selector = ''

  constructor(nextMs: number) {
    this.nextMs = nextMs
  }

  get recommendations(): readonly Recommendation[] {
    return this.#recommendations
  }

  /** The initial replicas count as the first recommendation. */
  begin(replicas: number, atMs: number): void {
    if (this.#recommendations.length === 0) this.#recommendations.push({ replicas, atMs })
  }

  /** Adds a recommendation, and drops those older than the window. */
  recommend(replicas: number, atMs: number, windowMs: number): void {
    this.#recommendations = this.#recommendations.filter((one) => one.atMs >= atMs - windowMs)
    this.#recommendations.push({ replicas, atMs })
  }

  /** Records a change of the replicas, and drops changes older than the longest period. */
  changed(by: number, atMs: number): void {
    this.#changes = this.#changes.filter((one) => one.atMs > atMs - longestPeriodMs)
    this.#changes.push({ by, atMs })
  }

  /** The change of the replicas since a time. */
  changeSince(atMs: number): number {
    return this.#changes.filter((one) => one.atMs > atMs).reduce((total, { by }) => total + by, 0)
  }
}

/** The longest period of a policy. */
const longestPeriodMs = 1_800_000
