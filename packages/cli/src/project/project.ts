import { dirname, join } from 'node:path'
import { type CommandContext, CommandError } from '../command/index.ts'
import { type BundleSettings, bundleText, isBundle } from './project-bundle.ts'
import { type ProjectAbout, projectAbout } from './project-about.ts'
import { isSim, type SimSettings, simText } from './project-sim.ts'
import {
  isMonitoring,
  isMoreLabels,
  isTextMap,
  type MonitoringSettings,
  monitoringText,
  moreLabelsText,
} from './optional-settings.ts'
import {
  envFromText,
  type EnvSource,
  envText,
  isEnv,
  isEnvFrom,
  isPod,
  isResources,
  isVolumeMounts,
  podText,
  type ResourceSettings,
  resourcesText,
  volumeMountsText,
} from './pod-settings.ts'

/** The settings under `"setpoint"` in package.json; all are optional. */
interface ProjectSettings {
  /** The module that exports the operators, relative to the project's folder. */
  readonly operators?: string
  /** The image of the Deployment, for `deploy` and `generate`. */
  readonly image?: string
  /** The namespace to which the operators are deployed. */
  readonly namespace?: string
  /** The number of pods of the operators. */
  readonly replicas?: number
  /** The namespaces to which the operators are restricted. */
  readonly watch?: readonly string[]
  /** The name of the Lease, if the project's own main file sets `election.name`. */
  readonly lease?: string
  /** Environment variables of the operators. */
  readonly env?: Readonly<Record<string, string | EnvSource>>
  /** The requests and limits of the operators, over the defaults. */
  readonly resources?: ResourceSettings
  /** More fields of the pods. */
  readonly pod?: Readonly<Record<string, unknown>>
  /** ConfigMaps and Secrets whose keys are environment variables of the operators. */
  readonly envFrom?: readonly Readonly<Record<string, unknown>>[]
  /** Where the container of the operators mounts the volumes of `pod`. */
  readonly volumeMounts?: readonly Readonly<Record<string, unknown>>[]
  /** More labels of all objects. */
  readonly labels?: Readonly<Record<string, string>>
  /** More labels of the pods. */
  readonly podLabels?: Readonly<Record<string, string>>
  /** Annotations of the pods. */
  readonly podAnnotations?: Readonly<Record<string, string>>
  /** Annotations of the service account, such as the role of a cloud provider. */
  readonly serviceAccountAnnotations?: Readonly<Record<string, string>>
  /** Objects for Prometheus and Grafana. */
  readonly monitoring?: boolean | MonitoringSettings
  /** A NetworkPolicy for the pods; by default only for operators with webhooks. */
  readonly networkPolicy?: boolean
  /** A PodDisruptionBudget, if there is more than one replica. */
  readonly disruptionBudget?: boolean
  /** `generate` also writes all objects to one file. */
  readonly installFile?: boolean
  /** What catalogs of the Operator Lifecycle Manager show. */
  readonly bundle?: BundleSettings
  /** What `setpoint sim` must know about the operators. */
  readonly sim?: SimSettings
}

/** The project of the current folder. */
export interface Project {
  /** The folder of its package.json. */
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly settings: ProjectSettings
  /** What package.json says about the project, for charts and bundles. */
  readonly about?: ProjectAbout
}

/** Finds the nearest package.json in the current folder and its parents. */
export async function findProject({ host, folder }: CommandContext): Promise<Project> {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, 'package.json')
    const info = await host.fileInfo(path)
    if (info !== undefined)
      return projectOf(at, new TextDecoder().decode(await host.readFile(path)))
    if (dirname(at) === at) {
      throw new CommandError(`there is no package.json in ${folder} or its parent folders`, {
        hint: 'run this in the folder of a project, or create one: setpoint new NAME',
      })
    }
  }
}

function projectOf(folder: string, text: string): Project {
  const path = join(folder, 'package.json')
  const manifest = parsedManifest(path, text)
  const { name = 'operator', version = '0.0.0', setpoint = {} } = manifest
  return {
    folder,
    name: String(name),
    version: String(version),
    settings: checkedSettings(path, setpoint),
    about: projectAbout(manifest),
  }
}

function parsedManifest(path: string, text: string): Readonly<Record<string, unknown>> {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch (cause) {
    throw new CommandError(`${path} is not JSON: ${(cause as Error).message}`, { cause })
  }
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) {
    throw new CommandError(`${path} is not an object`)
  }
  return manifest as Readonly<Record<string, unknown>>
}

const checks: Readonly<
  Record<keyof ProjectSettings, readonly [(value: unknown) => boolean, string]>
> = {
  operators: [isText, 'the path of a module'],
  image: [isText, 'the name of an image'],
  namespace: [isText, 'the name of a namespace'],
  replicas: [(value) => Number.isInteger(value) && Number(value) >= 0, 'a whole number'],
  watch: [(value) => Array.isArray(value) && value.every(isText), 'a list of namespaces'],
  lease: [isText, 'the name of a Lease'],
  env: [isEnv, envText],
  resources: [isResources, resourcesText],
  pod: [isPod, podText],
  envFrom: [isEnvFrom, envFromText],
  volumeMounts: [isVolumeMounts, volumeMountsText],
  labels: [isMoreLabels, moreLabelsText],
  podLabels: [isMoreLabels, moreLabelsText],
  podAnnotations: [isTextMap, 'an object of texts'],
  serviceAccountAnnotations: [isTextMap, 'an object of texts'],
  monitoring: [isMonitoring, monitoringText],
  networkPolicy: [isBoolean, 'true or false'],
  disruptionBudget: [isBoolean, 'true or false'],
  installFile: [isBoolean, 'true or false'],
  bundle: [isBundle, bundleText],
  sim: [isSim, simText],
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Refuses unknown settings and wrong types, instead of ignoring them. */
function checkedSettings(path: string, settings: unknown): ProjectSettings {
  const refuse = (what: string, hint: string): never => {
    throw new CommandError(`"setpoint" in ${path}: ${what}`, { hint })
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    return refuse('it is not an object', `its settings are ${Object.keys(checks).join(', ')}`)
  }
  for (const [name, value] of Object.entries(settings)) {
    const check = Object.entries(checks).find(([known]) => known === name)?.[1]
    if (check === undefined) {
      return refuse(
        `${name} is not a setting`,
        `the settings are ${Object.keys(checks).join(', ')}`,
      )
    }
    if (!check[0](value)) refuse(`${name} is ${JSON.stringify(value)}`, `it must be ${check[1]}`)
  }
  return settings
}
