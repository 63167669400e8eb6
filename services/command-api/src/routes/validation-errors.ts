import { assertNever } from '@switchyard/kernel'
import type {
  BoundProblem,
  Comparison,
  ConditionFault,
  ConditionPlace,
  ConditionProblem,
  ConditionValue,
  RoutingKey,
} from '@switchyard/routing'

/** A wrong condition as clients see it (rules.md 5). */
export interface ValidationError {
  readonly field: string
  readonly error_type: string
  readonly message: string
  /** For example `rules[2].statements[0].condition[1]`. */
  readonly path: string
}

const FAMILIES: Readonly<Record<ConditionValue['type'], string>> = {
  number: 'Number',
  numberArray: 'Number',
  numberComparisons: 'Number',
  enumVariant: 'EnumVariant',
  enumVariantArray: 'EnumVariant',
  text: 'StrValue',
  metadata: 'MetadataValue',
  globalRef: 'GlobalRef',
}

const KEY_TYPES: Readonly<Record<RoutingKey['type'], string>> = {
  integer: 'Integer',
  enum: 'Enum',
  text: 'StrValue',
  metadata: 'Udf',
  globalRef: 'GlobalRef',
}

const snakeCase = (name: string): string => name.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase()

/** The comparison with a capital letter: `GreaterThan`. */
const comparisonName = (comparison: Comparison): string => comparison.replace(/^./, (first) => first.toUpperCase())

/** The path of a condition, from the rules inwards. */
const pathOfCondition = ({ rule, statement, nested, condition }: ConditionPlace): string =>
  `rules[${rule}].statements[${statement}]${nested.map((index) => `.nested[${index}]`).join('')}.condition[${condition}]`

const textOfBound = (key: string, problem: BoundProblem): string => {
  switch (problem.bound) {
    case 'minValue':
      return `Invalid field '${key}': value ${problem.actual} is below minimum ${problem.limit}`
    case 'maxValue':
      return `Invalid field '${key}': value ${problem.actual} exceeds maximum ${problem.limit}`
    case 'exactLength':
      return `Invalid field '${key}': expected ${problem.limit} characters, got ${problem.actual} characters`
    case 'minLength':
      return `Invalid field '${key}': length ${problem.actual} is below minimum ${problem.limit}`
    case 'maxLength':
      return `Invalid field '${key}': length ${problem.actual} exceeds maximum ${problem.limit}`
    case 'regex':
      return `Invalid field '${key}': value does not match required pattern`
    default:
      return assertNever(problem)
  }
}

type Described = Pick<ValidationError, 'error_type' | 'message'>

type FaultOf<Reason extends ConditionFault['reason']> = Extract<ConditionFault, { readonly reason: Reason }>

const describeMismatch = (key: string, { keyType, valueType }: FaultOf<'TYPE_MISMATCH'>): string => {
  const family = FAMILIES[valueType]
  switch (keyType) {
    case 'singleValue':
      return 'expected a single value, got a list or the name of a global'
    case 'enum':
      return `Invalid enum variant '${key}': expected enum variant, got ${family}`
    case 'integer':
      return `Invalid key '${key}': expected number, got ${family}`
    case 'metadata':
      return `Invalid key '${key}': expected metadata variant, got ${family}`
    case 'text':
      return `Invalid key '${key}': expected str_value, got ${snakeCase(family)}`
    case 'globalRef':
      return `Invalid key '${key}': expected global_ref, got ${snakeCase(family)}`
    default:
      return assertNever(keyType)
  }
}

const describeComparison = (key: string, { keyType, comparison }: FaultOf<'COMPARISON_NOT_OF_KEY'>): Described => {
  const name = comparisonName(comparison)
  return keyType === 'enum'
    ? { error_type: 'invalid_comparison', message: `Invalid comparison type '${key}': expected Equal or NotEqual, got ${name}` }
    : {
        error_type: 'comparison_warning',
        message: `Comparison type '${name}' may not be appropriate for key '${key}' of type '${KEY_TYPES[keyType]}'`,
      }
}

const describeBounds = (key: string, { problems, element }: FaultOf<'OUT_OF_BOUNDS'>): Described => {
  const isNumber = problems.some(({ bound }) => bound === 'minValue' || bound === 'maxValue')
  const message = problems.map((problem) => textOfBound(key, problem)).join('; ')
  return {
    error_type: isNumber ? 'value_out_of_range' : 'length_invalid',
    message: element === null ? message : `Element ${element + 1}: ${message}`,
  }
}

const ARRAY_TEXTS = {
  numberArray: "Only '==' or '!=' allowed with number arrays",
  numberComparisons: "Only '==' allowed with number comparison arrays",
} as const

/** `error_type` and message of rules.md 5.1 and 5.2. */
const describeFault = (key: string, fault: ConditionFault): Described => {
  switch (fault.reason) {
    case 'UNKNOWN_KEY':
      return { error_type: 'unknown_key', message: `Invalid key '${key}': Unknown key in condition` }
    case 'COMPARISON_NOT_OF_KEY':
      return describeComparison(key, fault)
    case 'COMPARISON_NOT_OF_VALUE':
      return { error_type: 'invalid_comparison', message: `${ARRAY_TEXTS[fault.valueType]} for key '${key}'` }
    case 'VALUE_NOT_LISTED':
      return {
        error_type: 'invalid_enum_value',
        message: `Invalid enum value '${key}': expected one of [${fault.listed.join(', ')}], got '${fault.value}'`,
      }
    case 'VALUES_NOT_LISTED':
      return {
        error_type: 'invalid_enum_values',
        message: `Invalid enum values '${key}': expected values from [${fault.listed.join(', ')}], got [${fault.values.join(', ')}]`,
      }
    case 'TYPE_MISMATCH':
      return { error_type: 'type_mismatch', message: describeMismatch(key, fault) }
    case 'OUT_OF_BOUNDS':
      return describeBounds(key, fault)
    case 'UNKNOWN_GLOBAL':
      return { error_type: 'unknown_global', message: `Invalid global '${fault.name}' for key '${key}': globals has no such name` }
    case 'GLOBAL_UNUSABLE': {
      const { error_type, message } = describeFault(key, fault.fault)
      return { error_type, message: `Invalid global '${fault.name}' for key '${key}': value ${fault.element + 1}: ${message}` }
    }
    default:
      return assertNever(fault)
  }
}

/** A wrong condition in the words of the interface. */
export const describeCondition = ({ place, key, fault }: ConditionProblem): ValidationError => ({
  field: key,
  ...describeFault(key, fault),
  path: pathOfCondition(place),
})
