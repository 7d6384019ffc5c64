import { chat, letterOf, note } from './forms.ts';
import type { Texts } from './shape.ts';

const greeting = 'Hi {{name}},';

const letter = letterOf(greeting, '{{store-name}}\n{{store-url}}');

const greeted = (...parts: string[]) => chat(greeting, ...parts);

const buyer = 'Buyer: {{buyer-name}}\nE-mail: {{buyer-email}}';

export const en: Texts = {
  templates: {
    welcome: {
      email: letter(
        'Welcome to {{store-name}}',
        "Welcome to {{store-name}}! Your account is ready, and we're glad to have you with us.",
      ),
      whatsapp: greeted(
        "Welcome to *{{store-name}}*! Your account is ready, and we're glad to have you with us.",
        '{{store-url}}',
      ),
    },
    'order-placed': {
      email: letter(
        'Your order {{order-number}} at {{store-name}}',
        'Thank you for your order! Here are its details.',
        'Order: {{order-number}}\nProduct: {{quantity}} × {{product-name}}\nTotal: {{amount}}',
        '{{how-to-pay}}',
      ),
      whatsapp: greeted(
        'Thank you for your order *{{order-number}}* at {{store-name}}: {{quantity}} × {{product-name}}.',
        '{{how-to-pay}}',
      ),
    },
    'payment-received': {
      email: letter(
        "We've received your payment for order {{order-number}}",
        "Thank you! We've received your payment for order {{order-number}} ({{product-name}}). We'll keep you posted.",
        'Order total: {{amount}}',
      ),
      whatsapp: greeted(
        "Thank you! We've received your payment for order *{{order-number}}* ({{product-name}}). We'll keep you posted.",
        '{{store-name}}',
      ),
    },
    'order-in-progress': {
      email: letter(
        "We're working on your order {{order-number}}",
        "Thank you for your order! We're working on it now.",
        'Order: {{order-number}}\nProduct: {{quantity}} × {{product-name}}\nTotal: {{amount}}',
        '{{how-to-pay}}',
      ),
      whatsapp: greeted(
        "We're working on your order *{{order-number}}* at {{store-name}}: {{quantity}} × {{product-name}}.",
        '{{how-to-pay}}',
      ),
    },
    'order-shipped': {
      email: letter(
        'Your order {{order-number}} is on its way',
        'Good news: your order {{order-number}} ({{product-name}}) is on its way to you.',
        '{{tracking}}',
        '{{how-to-pay}}',
      ),
      whatsapp: greeted(
        'Your order *{{order-number}}* from {{store-name}} ({{product-name}}) is on its way to you.',
        '{{tracking}}',
        '{{how-to-pay}}',
      ),
    },
    'order-completed': {
      email: letter(
        'Your order {{order-number}} is complete',
        'Your order {{order-number}} ({{product-name}}) is complete. Thank you for buying from us!',
        '{{access}}',
        '{{licenses}}',
        'Everything that you bought is in your account: {{account-link}}',
      ),
      whatsapp: greeted(
        'Your order *{{order-number}}* ({{product-name}}) is complete. Thank you for buying from {{store-name}}!',
        '{{access}}',
        '{{licenses}}',
        'Everything that you bought is in your account: {{account-link}}',
      ),
    },
    'order-cancelled': {
      email: letter(
        'Your order {{order-number}} has been cancelled',
        'Your order {{order-number}} ({{product-name}}) has been cancelled. If you have already paid for it, please let us know and we will put it right.',
        'Should you still want it, you are welcome to order again.',
      ),
      whatsapp: greeted(
        'Your order *{{order-number}}* at {{store-name}} ({{product-name}}) has been cancelled. If you have already paid for it, please let us know.',
      ),
    },
    'order-refunded': {
      email: letter(
        'A refund for your order {{order-number}}',
        "We're refunding {{refunded-amount}} for your order {{order-number}} ({{product-name}}).",
        'Reason: {{reason}}',
        'It may take a few days until the money reaches you.',
      ),
      whatsapp: greeted(
        "We're refunding {{refunded-amount}} for your order *{{order-number}}* at {{store-name}}. It may take a few days until the money reaches you.",
        'Reason: {{reason}}',
      ),
    },
    'confirmation-rejected': {
      email: letter(
        "We couldn't find your payment for order {{order-number}}",
        "Thank you for telling us that you've paid for order {{order-number}}. Unfortunately we couldn't confirm that payment.",
        'Reason: {{reason}}',
        "If you have paid, please check the details and send us your proof of payment again. If you haven't paid yet, you still can.",
        '{{how-to-pay}}',
      ),
      whatsapp: greeted(
        "We couldn't confirm your payment for order *{{order-number}}* at {{store-name}}.",
        'Reason: {{reason}}',
        "If you have paid, please send us your proof of payment again. If you haven't paid yet, you still can.",
        '{{how-to-pay}}',
      ),
    },
    'subscription-ending': {
      email: letter(
        'Your subscription to {{product-name}} ends on {{end-date}}',
        'Your subscription to {{product-name}} ends on {{end-date}}. To keep it without a break, please renew it before then.',
        'Price of the renewal: {{amount}}',
      ),
      whatsapp: greeted(
        'Your subscription to *{{product-name}}* at {{store-name}} ends on {{end-date}}. To keep it without a break, please renew it before then.',
        'Price of the renewal: {{amount}}\n{{store-url}}',
      ),
    },
    'subscription-ended': {
      email: letter(
        'Your subscription to {{product-name}} has ended',
        'Your subscription to {{product-name}} ended on {{end-date}}.',
        "You can renew it for {{amount}}; we'd be glad to have you back.",
      ),
      whatsapp: greeted(
        'Your subscription to *{{product-name}}* at {{store-name}} ended on {{end-date}}.',
        "You can renew it for {{amount}}; we'd be glad to have you back.\n{{store-url}}",
      ),
    },
    'subscription-cancelled': {
      email: letter(
        'Your subscription to {{product-name}} is cancelled',
        'Your subscription to {{product-name}} is cancelled, and nothing more is to be paid for it.',
        'Access ends on: {{end-date}}',
      ),
      whatsapp: chat(
        greeting,
        'Your subscription to *{{product-name}}* at {{store-name}} is cancelled, and nothing more is to be paid for it.',
        'Access ends on: {{end-date}}',
      ),
    },
    'payment-overdue': {
      email: letter(
        'A payment for {{product-name}} is overdue',
        'The next payment for {{product-name}} is overdue. Please pay it before {{end-date}}, when your access ends.',
        'Amount: {{amount}}',
      ),
      whatsapp: chat(
        greeting,
        'The next payment for *{{product-name}}* at {{store-name}} is overdue. Please pay it before {{end-date}}, when your access ends.',
        'Amount: {{amount}}\n{{store-url}}',
      ),
    },
    'commission-earned': {
      email: letter(
        "You've earned {{commission}}",
        "Congratulations! You've earned a commission of {{commission}} on a sale of {{product-name}}. Thank you for recommending us.",
      ),
      whatsapp: greeted(
        "Congratulations! You've earned a commission of *{{commission}}* on a sale of {{product-name}} at {{store-name}}.",
      ),
    },
    'commission-paid': {
      email: letter(
        "We've paid you {{payout-amount}}",
        "We've paid out {{payout-amount}} of your commissions. Thank you for recommending us!",
        'Paid by: {{payout-method}}\nReference: {{payout-reference}}',
      ),
      whatsapp: greeted(
        '{{store-name}} has paid out *{{payout-amount}}* of your commissions. Thank you for recommending us!',
        'Paid by: {{payout-method}}\nReference: {{payout-reference}}',
      ),
    },
    'bank-account-changed': {
      email: letter(
        'Your bank account at {{store-name}} was changed',
        'The bank account that {{store-name}} pays your commissions to was changed.',
        "If that wasn't you, please tell us at once, before we pay to it.",
      ),
      whatsapp: greeted(
        'The bank account that *{{store-name}}* pays your commissions to was changed.',
        "If that wasn't you, please tell us at once, before we pay to it.",
      ),
    },
    'new-order': {
      email: note(
        'New order {{order-number}}: {{product-name}}',
        'A new order has come in at {{store-name}}.',
        `Order: {{order-number}}\nPlaced: {{order-date}}\nProduct: {{quantity}} × {{product-name}}\nTotal: {{amount}}\n${buyer}`,
      ),
      whatsapp: chat(
        'New order *{{order-number}}*',
        `{{quantity}} × {{product-name}}\nTotal: {{amount}}\n${buyer}`,
      ),
    },
    'new-confirmation': {
      email: note(
        'A payment to check for order {{order-number}}',
        'A buyer says that they have paid. Please check whether the money has come in, then approve or reject the confirmation.',
        `Order: {{order-number}}\nProduct: {{product-name}}\nTotal: {{amount}}\nReported as paid: {{reported-amount}}\n${buyer}`,
      ),
      whatsapp: chat(
        'A payment to check for order *{{order-number}}*',
        `Total: {{amount}}\nReported as paid: {{reported-amount}}\n${buyer}`,
      ),
    },
    'unexpected-payment': {
      email: note(
        'A payment at {{store-name}} that needs your decision',
        "A payment has come in that doesn't settle an order. Please decide whether to accept or refund it.",
        `Amount received: {{received-amount}}\nWhat is wrong: {{reason}}\nOrder: {{order-number}}\nProduct: {{product-name}}\nOrder total: {{amount}}\n${buyer}`,
      ),
      whatsapp: chat(
        'A payment at {{store-name}} needs your decision.',
        'Amount received: {{received-amount}}\nWhat is wrong: {{reason}}\nOrder: *{{order-number}}*\nOrder total: {{amount}}',
      ),
    },
    'webhook-paused': {
      email: note(
        'The webhook {{webhook-name}} has been paused',
        'The webhook {{webhook-name}} of {{store-name}} has been paused: {{reason}}.',
        'Its events are kept. Once its receiver works again, please activate the webhook, and they will be delivered.',
      ),
      whatsapp: chat(
        'The webhook *{{webhook-name}}* of {{store-name}} has been paused: {{reason}}. Its events are kept until it is active again.',
      ),
    },
    'seller-summary': {
      email: note(
        '{{count}} more notices from {{store-name}}',
        'So much has happened at {{store-name}} that this e-mail sums up the other notices.',
        '{{summary}}',
      ),
      whatsapp: chat('{{count}} more notices from {{store-name}}.', '{{summary}}'),
    },
    'store-alert': {
      email: note(
        '{{store-name}} is out of order',
        'Something at {{store-name}} needs your attention.',
        '{{troubles}}',
      ),
      whatsapp: chat('Something at {{store-name}} needs your attention.', '{{troubles}}'),
    },
  },
  words: {
    amounts: 'en',
    dates: 'en-GB',
    transferTo: (amount, accounts) =>
      accounts === 0
        ? `Please transfer ${amount} to our bank account. Ask us for its number.`
        : `Please transfer ${amount} to ${accounts === 1 ? 'this account' : 'one of these accounts'}:`,
    account: (bank, number, owner) => `${bank} ${number}, account holder ${owner}`,
    exactly:
      'Please transfer exactly this amount, to the last digit: it is how we recognise your payment.',
    reference: (number) => `Give ${number} as the reference.`,
    payBefore: (moment) =>
      `Please pay by ${moment}. After that, your order is cancelled automatically.`,
    onDelivery: (amount) => `You pay ${amount} in cash when your order is delivered.`,
    payHere: (amount, gateway) => `Pay ${amount} with ${gateway} here:`,
    payWith: (amount, gateway) => `Please pay ${amount} with ${gateway}.`,
    orderPage: 'See your order and how to pay for it here:',
    courier: (name) => `Courier: ${name}`,
    trackingNumber: (number) => `Tracking number: ${number}`,
    trackingPage: (url) => `Track your parcel: ${url}`,
    access: 'Open what you bought here:',
    licenses: 'Your licence codes:',
    more: (count) => `and ${count} more`,
    browser: (name, system) => `${name} on ${system}`,
    unexpected: {
      amount: "it isn't the amount that the order costs",
      currency: "it isn't in the currency of the order",
      order_paid: 'the order had already been paid',
      order_cancelled: 'the order had been cancelled',
      order_refunded: 'the order had been refunded',
      order_deleted: 'the order had been deleted',
      order_refused: "the order couldn't be marked as paid",
      reversed: 'the payment provider took the payment back',
    },
    paused: {
      manual: 'somebody paused it',
      gone: 'its receiver says that it no longer exists (410)',
      failing: 'its receiver has been failing for five days',
    },
    notices: {
      'new-order': (count) => `${count} new ${count === 1 ? 'order' : 'orders'}`,
      'new-confirmation': (count) => `${count} ${count === 1 ? 'payment' : 'payments'} to check`,
      'unexpected-payment': (count) =>
        count === 1
          ? '1 payment that needs your decision'
          : `${count} payments that need your decision`,
      'webhook-paused': (count) => `${count} paused ${count === 1 ? 'webhook' : 'webhooks'}`,
    },
    troubles: {
      undelivered_event_age: (hours) =>
        `An event has been waiting for its webhook for ${hours === 1 ? 'an hour' : `${hours} hours`}.`,
      failing_webhooks: (count) => (count === 1 ? '1 webhook fails.' : `${count} webhooks fail.`),
      stuck_payments: (count) =>
        `${count === 1 ? '1 payment' : `${count} payments`} could not be looked up at the payment provider for 15 minutes.`,
      stuck_messages: (count) =>
        `${count === 1 ? '1 message has' : `${count} messages have`} been waiting for more than 15 minutes.`,
      unsent_refunds: (count) =>
        `${count === 1 ? '1 refund' : `${count} refunds`} could not be paid by the payment provider.`,
      backup_age: (days) => `The last backup is ${days} days old.`,
      database_size: (gigabytes) => `The database has grown to ${gigabytes} GB.`,
    },
    unsubscribe: ["Don't want to get messages like this one?", 'Stop these messages'],
  },
};
