import { describe, expect, test } from '@jest/globals'
import { databaseIn } from './client.ts'

describe('the database', () => {
  test.each([
    ['mongodb://host/payments', 'payments'],
    ['mongodb://user:p%2Fw@one:27017,two:27017/payments?replicaSet=rs', 'payments'],
    ['mongodb+srv://cluster.example.com/pay%20ments?w=1', 'pay ments'],
    ['mongodb://host', 'switchyard'],
    ['mongodb://host/', 'switchyard'],
    ['mongodb://host/?replicaSet=rs', 'switchyard'],
    ['mongodb://host?replicaSet=rs', 'switchyard'],
    ['mongodb://one:27017,two:27017?tls=true&tlsCAFile=/etc/ssl/ca.pem', 'switchyard'],
    ['mongodb://host/payments?tlsCAFile=/etc/ssl/ca.pem', 'payments'],
  ])('of %s is %s', (uri, database) => {
    expect(databaseIn(uri)).toBe(database)
  })
})
