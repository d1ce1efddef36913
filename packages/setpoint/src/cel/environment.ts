/** Compiles expressions: parse, check, estimate, and turn into closures. */
import type { SizeOfPath } from './cost/cost-node.ts'
import { estimateCost } from './cost/estimate-cost.ts'
import { compileExpression, CompileFailure, type CompiledExpr } from './evaluate/compile.ts'
import { CostLimitExceeded, Frame, InternalFailure, type Bindings } from './evaluate/frame.ts'
import { kubernetesFunctions } from './library/kubernetes-functions.ts'
import { parseExpression } from './syntax/parser.ts'
import {
  celTypes,
  listType,
  mapType,
  opaqueType,
  parameterType,
  typeType,
  type CelType,
} from './types/cel-type.ts'
import { checkExpression, type CheckedExpr } from './types/checker.ts'
import { checkLiterals } from './types/check-literals.ts'
import type { FunctionDeclaration } from './types/function-declaration.ts'
import type { FindMessageType } from './types/message-type.ts'
import type { Declarations } from './types/scoped-names.ts'
import { CelError, type CelValue } from './values/cel-value.ts'

/** The largest cost of one evaluation in Kubernetes. */
export const perCallLimit = 1_000_000

/** What expressions can use. */
export interface EnvironmentOptions {
  /** The types of the variables, by name. */
  readonly variables?: Readonly<Record<string, CelType>>
  /** The object types that the variables contain, by name. */
  readonly objectTypes?: ReadonlyMap<string, CelType>
  /** The types of which expressions can write literals. */
  readonly messageTypes?: FindMessageType
  /** Functions in addition to those of Kubernetes. */
  readonly functions?: readonly FunctionDeclaration[]
  /** The sizes of values of variables, for the estimation of costs. */
  readonly sizeOfPath?: SizeOfPath
  /** Names are also looked up with this prefix. */
  readonly container?: string
  /** Allows list and map literals with elements of different types, which Kubernetes refuses. */
  readonly hasMixedLiterals?: boolean
}

/** The result of a compilation: a program, or the text of the errors. */
export type Compilation =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly message: string; readonly isProgramFailure: boolean }

/** The result of an evaluation: a value, or the text of the error. */
export type Evaluation =
  | { readonly value: CelValue; readonly error?: undefined; readonly cost: number }
  | { readonly value?: undefined; readonly error: string; readonly cost: number }

/** A compiled expression. */
export interface Program {
  readonly source: string
  readonly outputType: CelType
  /** The estimated cost: the least and the most that an evaluation can cost. */
  readonly cost: { readonly min: bigint; readonly max: bigint }
  /** Whether the expression reads a variable. */
  uses(variable: string): boolean
  /** Evaluates the expression. More than `costLimit` ends it with an error. */
  evaluate(bindings: Bindings, options?: { readonly costLimit?: number }): Evaluation
}

/** An environment: compiles expressions that use the same variables. */
export interface CelEnvironment {
  compile(source: string): Compilation
}

const standardTypes = new Map<string, CelType>(
  Object.entries({
    bool: celTypes.bool,
    bytes: celTypes.bytes,
    double: celTypes.double,
    'google.protobuf.Duration': celTypes.duration,
    int: celTypes.int,
    list: listType(parameterType('A')),
    map: mapType(parameterType('A'), parameterType('B')),
    null_type: celTypes.null,
    optional_type: opaqueType('optional_type'),
    string: celTypes.string,
    'google.protobuf.Timestamp': celTypes.timestamp,
    type: celTypes.type,
    uint: celTypes.uint,
  }).map(([name, type]) => [name, typeType(type)]),
)

/** Makes an environment with the functions of Kubernetes 1.36. */
export function celEnvironment(options: EnvironmentOptions = {}): CelEnvironment {
  const { variables = {}, objectTypes = new Map(), container = '' } = options
  const { functions = [], hasMixedLiterals = false, sizeOfPath = () => undefined } = options
  const { messageTypes: findMessage = () => undefined } = options
  const all = new Map(kubernetesFunctions)
  for (const declaration of functions) all.set(declaration.name, declaration)
  const declarations: Declarations = {
    variables: new Map([...standardTypes, ...Object.entries(variables)]),
    functions: all,
    objectTypes,
    findMessage,
    container,
  }
  return {
    compile: (source) => compile(source, { declarations, sizeOfPath, hasMixedLiterals }),
  }
}

interface CompileSettings {
  readonly declarations: Declarations
  readonly sizeOfPath: SizeOfPath
  readonly hasMixedLiterals: boolean
}

function compile(source: string, settings: CompileSettings): Compilation {
  const { declarations, sizeOfPath, hasMixedLiterals } = settings
  const parsed = parseExpression(source)
  const { problems } = parsed
  const failed = (isProgramFailure: boolean, message: string): Compilation => ({
    ok: false,
    message,
    isProgramFailure,
  })
  if (!problems.isEmpty()) return failed(false, problems.toString())
  const checked = checkExpression(parsed, declarations)
  if (!problems.isEmpty()) return failed(false, problems.toString())
  if (!hasMixedLiterals) checkLiterals(checked, parsed.ids, problems)
  if (!problems.isEmpty()) return failed(false, problems.toString())
  try {
    const compiled = compileExpression(checked, declarations)
    return { ok: true, program: programOf(checked, compiled, { source, sizeOfPath }) }
  } catch (error) {
    if (error instanceof CompileFailure) return failed(true, error.message)
    throw error
  }
}

function programOf(
  checked: CheckedExpr,
  compiled: CompiledExpr,
  { source, sizeOfPath }: { readonly source: string; readonly sizeOfPath: SizeOfPath },
): Program {
  const references = new Set(checked.references.values())
  let cost: { min: bigint; max: bigint } | undefined
  return {
    source,
    outputType: checked.types.get(checked.expr.id) ?? celTypes.dyn,
    get cost() {
      cost ??= estimateCost(checked, sizeOfPath)
      return cost
    },
    uses: (variable) => references.has(variable),
    evaluate: (bindings, { costLimit = perCallLimit } = {}) => {
      const frame = new Frame(bindings, compiled.slotCount, costLimit)
      return run(compiled, frame)
    },
  }
}

function run({ evaluate }: CompiledExpr, frame: Frame): Evaluation {
  try {
    const result = evaluate(frame)
    return result instanceof CelError
      ? { error: result.message, cost: frame.cost }
      : { value: result, cost: frame.cost }
  } catch (error) {
    if (error instanceof InternalFailure) {
      return { error: `internal error: ${error.message}`, cost: frame.cost }
    }
    if (!(error instanceof CostLimitExceeded)) throw error
    return { error: 'operation cancelled: actual cost limit exceeded', cost: frame.cost }
  }
}
