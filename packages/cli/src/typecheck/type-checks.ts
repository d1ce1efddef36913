import type { Files } from 'setpoint/host'
import type { Project } from '../project/index.ts'
import { startTypeCheck, type TypeCheck, type TypeCheckResult } from './type-check.ts'

/** Checks types again and again: a check whose sources changed is given up for a new one. */
export class TypeChecks implements Disposable {
  readonly #host: Files
  readonly #project: Pick<Project, 'folder'>
  readonly #onResult: (result: TypeCheckResult) => void
  #current: TypeCheck | undefined

  constructor(
    host: Files,
    project: Pick<Project, 'folder'>,
    onResult: (result: TypeCheckResult) => void,
  ) {
    this.#host = host
    this.#project = project
    this.#onResult = onResult
  }

  /** Checks the present sources. */
  async check(): Promise<void> {
    this.#current?.stop()
    const own = startTypeCheck(this.#host, this.#project)
    this.#current = own
    const result = await own.result
    if (this.#current === own) this.#onResult(result)
  }

  [Symbol.dispose](): void {
    this.#current?.stop()
    this.#current = undefined
  }
}
