import type { ApiResource } from '../../kinds/api-resource.ts'

/** The object of a reconcile: as it was read, with its defaults, and as it was written last. */
export class OwnerState {
  /** As the reconcile read it: from the cache, or from the server where the cache is stale. */
  readonly observed: ApiResource
  /** With defaults and the results of its handlers: what the author's functions get. */
  valid: ApiResource
  #latest: ApiResource
  #isWritten = false

  constructor(observed: ApiResource) {
    this.observed = observed
    this.valid = observed
    this.#latest = observed
  }

  /** The response to the last write of this reconcile. */
  get latest(): ApiResource {
    return this.#latest
  }

  /** Whether this reconcile wrote the object. If so, the revision of `observed` is outdated. */
  get isWritten(): boolean {
    return this.#isWritten
  }

  /**
   * The observed object with the latest status. Conditions carry the generation that was
   * reconciled; the response to a write may have a newer one.
   */
  get reported(): ApiResource {
    return { ...this.observed, status: this.#latest['status'] }
  }

  /** Records a write of the object. The response to a deletion has no content, only a revision. */
  recordWrite(written: { readonly metadata: { readonly uid?: string | undefined } }): void {
    if (written.metadata.uid !== this.observed.metadata.uid) return
    this.#isWritten = true
    if ('kind' in written) this.#latest = written as ApiResource
  }
}
