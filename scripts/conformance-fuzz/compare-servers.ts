import type { Answer, ConformanceCase } from '../../test/conformance/conformance-case.ts'
import { runUntilFailure } from '../../test/conformance/run-case.ts'
import type { Target } from '../../test/conformance/target.ts'
import { customKinds, define, undefine } from './custom-kind.ts'
import { firstDifference, type FoundDifference } from './difference-class.ts'
import { explanationOf } from './explained-differences.ts'
import type { DifferenceClass, UnstableClass } from './fuzz-report.ts'
import { fuzzScript, type FuzzKinds } from './fuzz-script.ts'
import type { FuzzScript } from './fuzz-step.ts'
import { fuzzedKinds } from './fuzzed-kinds.ts'
import { shrink } from './shrink.ts'

interface Comparison {
  readonly real: Target
  readonly embedded: Target
  readonly seed: string
  /** The numbers of the scripts; the run ends after the last one or at the deadline. */
  readonly numbers: Iterator<number>
  readonly isOver: () => boolean
  /** Called for the first script of a class: a long run should not be silent. */
  readonly onClass: (first: DifferenceClass) => void
}

interface Result {
  readonly scripts: number
  readonly requests: number
  readonly classes: readonly DifferenceClass[]
  /** By reason. */
  readonly explained: ReadonlyMap<string, number>
  /** Differences that did not occur again when the script was repeated. */
  readonly unstable: readonly UnstableClass[]
}

const repetitions = 3
/** How often a script is sent to the real server alone, to see whether its answers vary. */
const realRepetitions = 6
const candidatesMax = 4
/** Scripts that run at the same time: most of the time is the real server's. */
const workers = 4
const customKindsMax = 24

/** Runs scripts on both servers and groups the differences. */
export async function compareServers(options: Comparison): Promise<Result> {
  const custom = customKinds(options.seed, customKindsMax)
  await Promise.all([define(options.real, custom), define(options.embedded, custom)])
  try {
    return await new ServerComparison(options, { builtin: fuzzedKinds(), custom }).run()
  } finally {
    await undefine(options.real, custom)
  }
}

class ServerComparison {
  readonly #options: Comparison
  readonly #kinds: FuzzKinds
  readonly #run = Math.floor(Date.now() / 1000).toString(36)
  readonly #classes = new Map<string, DifferenceClass>()
  readonly #explained = new Map<string, number>()
  #scripts = 0
  #requests = 0
  #tries = 0

  constructor(options: Comparison, kinds: FuzzKinds) {
    this.#options = options
    this.#kinds = kinds
  }

  async run(): Promise<Result> {
    await Promise.all(Array.from({ length: workers }, () => this.#work()))
    const found = [...this.#classes.values()]
    const classes: DifferenceClass[] = []
    const unstable: UnstableClass[] = []
    for (const each of found) {
      const smallest = await this.#smallest(each)
      if (smallest !== undefined) classes.push(smallest)
      else unstable.push({ ...each, cause: await this.#causeOf(each) })
    }
    return {
      scripts: this.#scripts,
      requests: this.#requests,
      classes,
      explained: this.#explained,
      unstable,
    }
  }

  async #work(): Promise<void> {
    while (!this.#options.isOver()) {
      const next = this.#options.numbers.next()
      if (next.done === true) return
      const number = next.value
      const script = fuzzScript(this.#options.seed, number, this.#kinds)
      this.#scripts += 1
      this.#requests += script.steps.length
      const found = await this.#differenceOf(script)
      if (found !== undefined) this.#add(number, script, found)
    }
  }

  #add(number: number, script: FuzzScript, found: FoundDifference): void {
    const reason = explanationOf(found)
    if (reason !== undefined) {
      this.#explained.set(reason, (this.#explained.get(reason) ?? 0) + 1)
      return
    }
    const { difference, step, index } = found
    const until = { ...script, steps: script.steps.slice(0, index + 1) }
    const example = { script: until, found }
    const known = this.#classes.get(difference) ?? {
      difference,
      places: new Map<string, number>(),
      numbers: [],
      example,
      candidates: [],
    }
    if (known.candidates.length < candidatesMax) known.candidates.push(example)
    const place = `${step.verb} ${step.resource}: ${step.mutation}`
    known.places.set(place, (known.places.get(place) ?? 0) + 1)
    known.numbers.push(number)
    if (!this.#classes.has(difference)) this.#options.onClass(known)
    this.#classes.set(difference, known)
  }

  /** The class with a small example, unless it does not occur again. */
  async #smallest(each: DifferenceClass): Promise<DifferenceClass | undefined> {
    const isSame = async (candidate: FuzzScript): Promise<boolean> =>
      (await this.#differenceOf(candidate))?.difference === each.difference
    for (const candidate of each.candidates) {
      if (!(await isStable(candidate.script, isSame))) continue
      const script = await shrink(candidate.script, isSame)
      const found = (await this.#differenceOf(script)) ?? candidate.found
      return { ...each, example: { script, found } }
    }
    return undefined
  }

  /** Whether the real server gives several answers to the same script. */
  async #causeOf({ candidates }: DifferenceClass): Promise<UnstableClass['cause']> {
    for (const { script } of candidates) {
      const answers = new Set<string>()
      for (let index = 0; index < realRepetitions; index += 1) {
        answers.add(JSON.stringify(await this.#realAnswers(script)))
      }
      if (answers.size > 1) return 'the real server answers in several ways'
    }
    return 'the answers were equal later'
  }

  async #realAnswers({ steps, cleanup }: FuzzScript): Promise<readonly Answer[]> {
    this.#tries += 1
    const name = `fuzz-${this.#run}-${this.#tries}`
    const entry = { name, steps: steps.map(({ step }) => step), cleanup }
    return runUntilFailure(this.#options.real, entry, name)
  }

  async #differenceOf(script: FuzzScript): Promise<FoundDifference | undefined> {
    this.#tries += 1
    return differs(this.#options, script, `fuzz-${this.#run}-${this.#tries}`)
  }
}

/** A real server prints the problems of maps in random order: only what stays is a difference. */
async function isStable(
  script: FuzzScript,
  isSame: (script: FuzzScript) => Promise<boolean>,
): Promise<boolean> {
  for (let index = 0; index < repetitions; index += 1) if (!(await isSame(script))) return false
  return true
}

async function differs(
  { real, embedded }: Comparison,
  { steps, cleanup }: FuzzScript,
  namespace: string,
): Promise<FoundDifference | undefined> {
  const entry: ConformanceCase = { name: namespace, steps: steps.map(({ step }) => step), cleanup }
  const [expected, actual] = await Promise.all([
    runUntilFailure(real, entry, namespace),
    runUntilFailure(embedded, entry, namespace),
  ])
  return firstDifference(steps, expected, actual)
}
