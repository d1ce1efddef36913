import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'

/** The options of a span. */
interface SpanOptions {
  readonly name: string
  /** `run` starts a new trace; `request` is a call to a server within the current trace. */
  readonly kind: 'run' | 'request'
  /** Called only when an SDK is installed. */
  readonly attributes: () => Attributes
}

/** The part of a span that traced code may use. */
export type ActiveSpan = Pick<Span, 'setAttributes' | 'setStatus' | 'addEvent' | 'isRecording'>

/**
 * Runs a function in a span, or just runs it when no OpenTelemetry SDK is installed. An error is
 * recorded and rethrown, unless `isFailure` returns false for it.
 */
export async function inSpan<T>(
  options: SpanOptions,
  work: (span: ActiveSpan | undefined) => Promise<T>,
  isFailure: (error: unknown) => boolean = () => true,
): Promise<T> {
  const tracer = installedTracer()
  if (tracer === undefined) return work(undefined)
  const parent = context.active()
  const isRun = options.kind === 'run'
  const span = tracer.startSpan(options.name, {
    kind: isRun ? SpanKind.INTERNAL : SpanKind.CLIENT,
    root: isRun,
    attributes: options.attributes(),
  })
  try {
    return await context.with(trace.setSpan(parent, span), async () => work(span))
  } catch (error) {
    if (isFailure(error)) recordFailure(span, error)
    throw error
  } finally {
    span.end()
  }
}

/**
 * Whether a request would be part of a trace now: check it first, because usually there is none.
 */
export function isInSpan(): boolean {
  return installedTracer() !== undefined && trace.getSpan(context.active()) !== undefined
}

/** Starts something that outlives its caller: its requests are not part of the active trace. */
export function outsideSpans<T>(work: () => T): T {
  return installedTracer() === undefined ? work() : context.with(ROOT_CONTEXT, work)
}

function recordFailure(span: Span, error: unknown): void {
  const thrown = error instanceof Error ? error : new Error(String(error))
  span.recordException(thrown)
  span.setStatus({ code: SpanStatusCode.ERROR, message: thrown.message })
  if ('code' in thrown && typeof thrown.code === 'string') {
    span.setAttribute('error.type', thrown.code)
  }
}

/** The tracer of an SDK; `undefined` when there is none. */
function installedTracer(): Tracer | undefined {
  const provider: ReturnType<typeof trace.getTracerProvider> & Partial<Delegating> =
    trace.getTracerProvider()
  // OpenTelemetry's proxy provider would create spans that do nothing, but cost time.
  return provider.getDelegateTracer === undefined
    ? provider.getTracer('setpoint')
    : provider.getDelegateTracer('setpoint')
}

interface Delegating {
  getDelegateTracer(name: string): Tracer | undefined
}
