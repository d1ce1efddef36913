import type { Frozen } from 'setpoint'
import type { Probe } from 'setpoint/kinds'
import { type HandledContainer, runHandler } from './handler-action.ts'
import { ProbeCount } from './probe-count.ts'

interface ContainerProbesOptions {
  readonly container: HandledContainer
  /** Aborted when the container has ended. */
  readonly signal: AbortSignal
  readonly changed: () => void
  readonly unhealthy: (message: string) => void
  /** The container has to be stopped; with the grace period of the probe, if it has one. */
  readonly failed: (probe: 'liveness' | 'startup', graceSeconds: number | undefined) => void
}

type ProbeName = 'Startup' | 'Readiness' | 'Liveness'

/** The delay before the first probe; a period if that is shorter. */
const firstMs = 1000

/** Runs the probes of a container periodically. */
export class ContainerProbes {
  readonly #options: ContainerProbesOptions
  #isStarted = false
  #isReady = false

  constructor(options: ContainerProbesOptions) {
    this.#options = options
  }

  get isStarted(): boolean {
    return this.#isStarted
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Starts the probes after the container has started. */
  begin(): void {
    const { startupProbe } = this.#options.container.spec
    if (startupProbe === undefined) {
      this.#started()
      return
    }
    void this.#probe('Startup', startupProbe, (isOk) => {
      if (isOk) this.#started()
      else this.#options.failed('startup', startupProbe.terminationGracePeriodSeconds)
      return false
    })
  }

  #started(): void {
    const { spec } = this.#options.container
    const { readinessProbe, livenessProbe } = spec
    this.#isStarted = true
    this.#isReady = readinessProbe === undefined
    this.#options.changed()
    if (readinessProbe !== undefined) {
      void this.#probe('Readiness', readinessProbe, (isOk) => {
        if (isOk !== this.#isReady) {
          this.#isReady = isOk
          this.#options.changed()
        }
        return true
      })
    }
    if (livenessProbe !== undefined) {
      void this.#probe('Liveness', livenessProbe, (isOk) => {
        if (!isOk) this.#options.failed('liveness', livenessProbe.terminationGracePeriodSeconds)
        return isOk
      })
    }
  }

  /** Runs a probe until `onThreshold` returns false or the container has ended. */
  async #probe(
    name: ProbeName,
    probe: Frozen<Probe>,
    onThreshold: (isOk: boolean) => boolean,
  ): Promise<void> {
    const { container, signal, changed, unhealthy } = this.#options
    const { initialDelaySeconds = 0, periodSeconds = 10, timeoutSeconds = 1 } = probe
    const count = new ProbeCount(probe)
    let waitMs = initialDelaySeconds * 1000 + Math.min(periodSeconds * 1000, firstMs)
    for (;;) {
      const hasContainerEnded = await container.host.sleep(waitMs, signal).then(
        () => false,
        () => true,
      )
      if (hasContainerEnded) return
      const { isOk, output } = await runHandler(container, probe, timeoutSeconds * 1000)
      if (signal.aborted) return
      if (!isOk) {
        unhealthy(`${name} probe failed: ${output}`)
        changed()
      }
      const reached = count.add(isOk)
      if (reached !== undefined && !onThreshold(reached === 'passed')) return
      waitMs = periodSeconds * 1000
    }
  }
}
