import { jsonEquals, type JsonObject } from 'setpoint/schema'

/**
 * The state of the mutating plugins of one write. They run once, and a second time if a webhook or
 * a policy has changed the object, so that each of them sees the changes of the others.
 */
export class MutationPass {
  #isSecond = false
  #wantsSecond = false
  /** The object after the last webhook. */
  #output: JsonObject | undefined
  /** Webhooks that were called and may be called again after a later change. */
  readonly #reinvocable = new Set<string>()
  readonly #again = new Set<string>()

  get isSecond(): boolean {
    return this.#isSecond
  }

  /** Whether the plugins run again; they do at most once. */
  beginSecond(): boolean {
    if (this.#isSecond || !this.#wantsSecond) return false
    this.#isSecond = true
    return true
  }

  requestSecond(): void {
    this.#wantsSecond = true
  }

  /** In the second pass only webhooks are called that were called in the first one. */
  mayCall(webhook: string): boolean {
    return !this.#isSecond || this.#again.has(webhook)
  }

  recordReinvocable(webhook: string): void {
    this.#reinvocable.add(webhook)
  }

  /** The object has changed: the webhooks that were called before are called again. */
  askAgain(): void {
    for (const webhook of this.#reinvocable) this.#again.add(webhook)
    this.#reinvocable.clear()
  }

  recordOutput(object: JsonObject): void {
    this.#output = structuredClone(object)
  }

  isChangedSinceWebhooks(object: JsonObject): boolean {
    return this.#output === undefined || !jsonEquals(this.#output, object)
  }
}
