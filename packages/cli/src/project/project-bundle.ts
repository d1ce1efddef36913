import { isRecord } from './optional-settings.ts'

/** What catalogs show about the operators, under `"bundle"`. */
export interface BundleSettings {
  readonly displayName?: string
  /** Markdown. */
  readonly description?: string
  /** The path of an SVG or PNG file. */
  readonly icon?: string
  readonly maturity?: string
  /** The capability level, such as `Seamless Upgrades`. */
  readonly capabilities?: string
  readonly categories?: readonly string[]
  readonly provider?: string
  readonly support?: string
  readonly channels?: readonly string[]
  readonly defaultChannel?: string
  readonly replaces?: string
  readonly skips?: readonly string[]
  readonly skipRange?: string
  /** The image with the tests of `operator-sdk scorecard`; without it, the bundle has none. */
  readonly scorecardImage?: string
  /** The image of the bundle, for catalogs. */
  readonly image?: string
}

const texts = [
  'displayName',
  'description',
  'icon',
  'maturity',
  'capabilities',
  'provider',
  'support',
  'defaultChannel',
  'replaces',
  'skipRange',
  'image',
  'scorecardImage',
]
const lists = ['categories', 'channels', 'skips']

/** Whether a value has only settings of bundles. */
export function isBundle(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(([name, content]) => {
      if (texts.includes(name)) return typeof content === 'string' && content !== ''
      const isList = Array.isArray(content) && content.every((item) => typeof item === 'string')
      return lists.includes(name) && isList
    })
  )
}

/** What `bundle` must be. */
export const bundleText = `an object with texts (${texts.join(', ')}) and lists of texts (${lists.join(', ')})`
