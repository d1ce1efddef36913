import type { JsonObject } from 'setpoint/schema'
import { replaceContent } from '../replace-content.ts'
import type { Invocation } from '../webhooks/invocation.ts'

/** The object as the policies of one version have left it. */
interface VersionState {
  content: JsonObject
  isWritten: boolean
}

/**
 * The object of a write while policies change it. Each version of it has its own state: policies
 * see only the changes of policies for the same version, and finally the state of the version of the
 * last policy is kept. A real server loses the other changes in the same way, unless they are
 * repeated in the second pass.
 */
export class VersionStates {
  readonly #object: JsonObject
  readonly #initial: JsonObject | undefined
  readonly #states = new Map<string, VersionState>()
  #entered: VersionState
  #last: VersionState | undefined

  constructor(object: JsonObject, calls: readonly { readonly invocation: Invocation }[]) {
    this.#object = object
    const versions = new Set(calls.map(({ invocation }) => versionOf(invocation)))
    // One version needs no copies.
    this.#initial = versions.size > 1 ? structuredClone(object) : undefined
    this.#entered = { content: object, isWritten: false }
  }

  /** The next policy is for this version. */
  enter(invocation: Invocation): void {
    if (this.#initial === undefined) return
    const version = versionOf(invocation)
    const state = this.#states.get(version) ?? { content: this.#initial, isWritten: false }
    this.#states.set(version, state)
    this.#entered = state
    replaceContent(this.#object, structuredClone(state.content))
  }

  /** The policy was called, and has changed the object or not. */
  called(isWritten: boolean): void {
    const state = this.#entered
    state.isWritten ||= isWritten
    if (this.#initial !== undefined) state.content = structuredClone(this.#object)
    this.#last = state
  }

  /** Keeps the last state. Returns whether a mutation has written it. */
  finish(): boolean {
    const last = this.#last
    const isWritten = last?.isWritten === true
    if (this.#initial !== undefined) {
      replaceContent(this.#object, isWritten ? last.content : this.#initial)
    }
    return isWritten
  }
}

function versionOf({ write }: Invocation): string {
  const { group, version, kind } = write.kind
  return `${group}/${version} ${kind}`
}
