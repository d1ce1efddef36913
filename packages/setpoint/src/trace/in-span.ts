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

/** Work that is worth a span. */
interface SpanOptions {
  readonly name: string
  /** `run` begins a trace of its own; `request` is a call to a server, as part of what is traced already. */
  readonly kind: 'run' | 'request'
  /** Asked for only when somebody traces. */
  readonly attributes: () => Attributes
}

/** What work may say about itself while it is traced. */
export type ActiveSpan = Pick<Span, 'setAttributes' | 'setStatus' | 'addEvent' | 'isRecording'>

/**
 * Does work in a span, or just does it when no OpenTelemetry SDK is installed. What it throws is recorded and thrown on,
 * unless `isFailure` says that it is none.
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

/** Whether a request made now would be part of a trace: asked first, because usually none is. */
export function isInSpan(): boolean {
  return installedTracer() !== undefined && trace.getSpan(context.active()) !== undefined
}

/** Begins something that outlives whoever began it: its requests are no part of the trace that happens to be active. */
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

/** The tracer of an SDK; `undefined` when there is none, and then nothing more is done. */
function installedTracer(): Tracer | undefined {
  const provider: ReturnType<typeof trace.getTracerProvider> & Partial<Delegating> =
    trace.getTracerProvider()
  // The proxy that stands in for an SDK would make spans that do nothing, but are made.
  return provider.getDelegateTracer === undefined
    ? provider.getTracer('setpoint')
    : provider.getDelegateTracer('setpoint')
}

interface Delegating {
  getDelegateTracer(name: string): Tracer | undefined
}
