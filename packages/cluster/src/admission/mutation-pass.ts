import { jsonEquals, type JsonObject } from 'setpoint/schema'

/**
 * The state of the mutating plugins of one write. They run once, and a second time if a webhook or
 * a policy has changed the object, so that each of them sees the changes of the others.
 */
export class MutationPass {
  #isSecond = false
  #wantsSecond = false
  /** The calls of webhooks and of policies; each kind is repeated for itself. */
  readonly webhooks = new Invocations(this)
  readonly policies = new Invocations(this)

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
}

/** The webhooks or policies that were called, and those that are called again. */
class Invocations {
  readonly #pass: Pick<MutationPass, 'isSecond'>
  /** The object after the last call. */
  #output: JsonObject | undefined
  /** Those that were called and may be called again after a later change. */
  readonly #reinvocable = new Set<string>()
  readonly #again = new Set<string>()

  constructor(pass: Pick<MutationPass, 'isSecond'>) {
    this.#pass = pass
  }

  /** Called before the first call of a pass: other plugins may have changed the object since. */
  begin(object: JsonObject): void {
    const isSame = this.#output !== undefined && jsonEquals(this.#output, object)
    if (this.#pass.isSecond && !isSame) this.askAgain()
  }

  /** In the second pass only those are called that were called in the first one. */
  mayCall(id: string): boolean {
    return !this.#pass.isSecond || this.#again.has(id)
  }

  recordReinvocable(id: string): void {
    this.#reinvocable.add(id)
  }

  /** The object has changed: those that were called before are called again. */
  askAgain(): void {
    for (const id of this.#reinvocable) this.#again.add(id)
    this.#reinvocable.clear()
  }

  recordOutput(object: JsonObject): void {
    this.#output = structuredClone(object)
  }
}
