import { fromFile, type Program } from '@setpoint/sim'
import type { AnyOperator } from 'setpoint'

/** The operators of a project, as they are simulated. */
interface SimulatedProgram {
  readonly program: Program
  /** Why the variables of modules survive a crash; `undefined` if they do not. */
  readonly whyNotFresh: string | undefined
}

/**
 * The operators in a file, whose modules are evaluated again for each process: a crash loses what
 * their variables hold. Modules that cannot be bundled are those that were imported, once.
 */
export async function simulatedProgram(
  file: string,
  imported: readonly AnyOperator[],
): Promise<SimulatedProgram> {
  try {
    return { program: await fromFile(file), whyNotFresh: undefined }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const reason = /Top-level await/.test(text)
      ? 'a module has an await outside of functions'
      : (text.split('\n')[0] ?? '')
    const whyNotFresh = `variables of modules survive crashes in this simulation: ${reason}`
    return { program: imported, whyNotFresh }
  }
}
