/** Most recorded decisions that one simulation replays. */
export const SIMULATION_LIMIT_MAX = 100_000
/** Recorded decisions that a simulation replays when the request does not say. */
export const SIMULATION_LIMIT_DEFAULT = 10_000
/** Most payments that a simulation may name. */
export const SIMULATION_PAYMENT_COUNT_MAX = 10_000
/** Pages of payments that a simulation looks through, also those without a decision in its time. */
export const SIMULATION_PAGES_MAX = 2_500
/** Pairs of gateways that an answer tells apart; further ones are counted together. */
export const MOVE_COUNT_MAX = 1_000
/** Simulations at the same time; more are refused. */
export const SIMULATIONS_IN_FLIGHT_MAX = 2
/** Seconds after which a refused one may be sent again. */
export const SIMULATION_RETRY_AFTER_SECONDS = 5
