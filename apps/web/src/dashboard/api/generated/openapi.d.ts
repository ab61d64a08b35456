// Generated from docs/openapi.json: npm run docs
export interface paths {
    "/api/v1/pay/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pay/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["quotePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pay/batch-quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["quotePaymentOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pay/min-amounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMinimumAmounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pay/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["getWalletBalances"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pay/checkout-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["listCheckoutOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pay/create-order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pay/order/{id}/tx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reportOrderTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pay/order/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pay/order/{id}/wallet-call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrderWalletCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pay/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/swap/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDepositStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["quoteSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x402/v1/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["quoteSwapBySale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transaction/build": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["buildSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transaction/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["executeSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transaction/{transactionId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSwapStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transaction/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["buildSwaps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchant/payment-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPaymentRequests"];
        put?: never;
        post: operations["createPaymentRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchant/payment-requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPaymentRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchant/payment-requests/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelPaymentRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchant/payment-requests/{id}/receive-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setPaymentRequestReceiveAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchant/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchant/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMerchantStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPayablePaymentRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment/{id}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["startPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPaymentStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMerchantOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ledger/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["proveLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ledger/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLedgerEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paylinks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPayLinks"];
        put?: never;
        post: operations["createPayLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paylinks/{id}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["setPayLinkActive"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paylinks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deletePayLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paylinks/{id}/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPublicPayLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paylinks/{id}/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["startPayLinkCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paylinks/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reportPayLinkPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paylinks/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPayLinkPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paylinks/{id}/payments/{paymentId}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmPayLinkPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paylinks/{id}/payments/{paymentId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rejectPayLinkPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exceptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listExceptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exceptions/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resolveException"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/receivers/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createReceiverChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/receivers/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyReceiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/receivers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listReceivers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/receivers/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteReceiver"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["setApiKeyEnabled"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["regenerateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}/spends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeySpends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createSignInChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete: operations["revokeAllSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSettings"];
        put: operations["replaceSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteSettings"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/endpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhookTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/listen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["listenToWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendTestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/endpoint/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalog/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["searchServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalog/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["submitPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approvePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rejectPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEmailDomains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createEmailAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEmailMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getEmailMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/account-and-wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createEmailAccountAndWait"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentmail/inboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createAgentInbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentmail/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendFromAgentInbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resend/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resend/agent-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createAgentEmailAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gift/giftcards/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listGiftCards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gift/giftcards/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["orderGiftCard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gift/airtime/detect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["detectMobileOperator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gift/airtime/topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["topUpPhone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gift/utilities/billers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBillers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gift/utilities/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["payBill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gift/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getServiceBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sms/number": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rentPhoneNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sms/status/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSmsCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sms/number-and-wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rentPhoneNumberAndAwaitCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sms/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendSms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/card/get-card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["buyCard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/card/card-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["revealCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/card/my-cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/balance/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNanoPaymentBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNanoPaymentStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setNanoPaymentPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policy/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNanoPaymentPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelNanoPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receipts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNanoPaymentReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listNanoPaymentWithdrawals"];
        put?: never;
        post: operations["withdrawNanoPaymentBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/withdraw/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNanoPaymentWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listNanoPaymentApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approveNanoPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rejectNanoPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attestation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAttestation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyNanoPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["settleNanoPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/supported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSupportedPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSandbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/deposit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["simulateSwapDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setTokenPrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/oneclick/deadline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["expireSwapDeadline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/oneclick/outage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setProviderOutage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/ton/faucet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["fundTonAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/nanopay/deposit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["simulateNanoPaymentDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSandboxClock"];
        put?: never;
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendPaymentFrame"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/demo/premium": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["buyDemoResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transaction/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openTransactionStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pay/order/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["followOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["followPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkout/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openCheckout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkout/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["reopenCheckout"];
        put?: never;
        post: operations["submitCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkout/{id}/{payment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openPaymentPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkout/{id}/{payment}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkout/{id}/{payment}/receipt.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openReceiptPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment/{id}/qr.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPaymentQrCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/l/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openPayLink"];
        put?: never;
        post: operations["submitPayLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/l/{id}/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["reopenPayLink"];
        put?: never;
        post: operations["openPayLinkCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/solana-pay/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["describeSolanaPay"];
        put?: never;
        post: operations["makeSolanaPayTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discovery/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSoldResources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ChainsReply: {
            direct_chains?: string[];
            crosschain_chains?: string[];
            total?: number;
            chains?: string[];
            count?: number;
            details: components["schemas"]["ChainView"][];
        };
        ChainView: {
            id: string;
            caip2: string;
            short_name: string;
            name: string;
            is_direct: boolean;
            is_testnet: boolean;
            is_available: boolean;
            confirmations: number;
            logo: string;
            explorer_tx_url?: string | null;
            tokens: components["schemas"]["TokenView"][];
        };
        TokenView: {
            symbol: string;
            name: string;
            decimals: number;
            address: string | null;
            logo: string;
        };
        QuoteRequest: {
            pay_blockchain: string;
            pay_token: string;
            settle_chain: string;
            settle_token: string;
            settle_amount: string;
        };
        QuoteReply: {
            /** @enum {string} */
            method: "Direct" | "CrossChain";
            pay_amount: string;
            pay_amount_formatted: string;
            pay_amount_usd: string | null;
            receive_amount: string;
            receive_amount_formatted: string;
            receive_amount_usd: string | null;
            estimated_time: number;
            exchange_rate: string;
            slippage_bps: number;
            /** Format: date-time */
            expires_at: string;
        };
        BatchQuoteRequest: {
            settle_chain: string;
            settle_token: string;
            settle_amount: string;
            pay_options: components["schemas"]["PayOption"][];
        };
        PayOption: {
            blockchain: string;
            token: string;
        };
        BatchQuoteReply: {
            quotes: components["schemas"]["OptionQuote"][];
        };
        OptionQuote: {
            blockchain: string;
            token: string;
            result: components["schemas"]["QuoteResult"];
        };
        QuoteResult: components["schemas"]["QuoteOk"] | components["schemas"]["QuoteError"];
        QuoteFound: {
            quote: components["schemas"]["QuoteReply"];
        };
        QuoteOk: {
            Ok: components["schemas"]["QuoteFound"];
        };
        QuoteFailed: {
            error: string;
            /** Format: double */
            min_amount_usd?: number;
        };
        QuoteError: {
            Error: components["schemas"]["QuoteFailed"];
        };
        MinAmountsReply: {
            min_amounts: components["schemas"]["MinAmount"][];
            count: number;
            /** Format: date-time */
            updated_at: string | null;
        };
        MinAmount: {
            blockchain: string;
            token: string;
            min_settle_amount: string;
            /** Format: double */
            min_usd: number;
            settle_chain: string;
            settle_token: string;
            /** Format: date-time */
            updated_at: string;
        };
        BalancesRequest: {
            wallets: {
                [key: string]: string;
            };
        };
        BalancesReply: {
            balances: components["schemas"]["WalletBalance"][];
            skipped: components["schemas"]["SkippedChain"][];
        };
        WalletBalance: {
            blockchain: string;
            address: string;
            tokens: components["schemas"]["TokenBalance"][];
        };
        TokenBalance: {
            symbol: string;
            decimals: number;
            balance: string;
            balance_formatted: string;
            balance_usd: string | null;
            /** Format: double */
            price_usd: number | null;
        };
        SkippedChain: {
            blockchain: string;
            reason: string;
            can_retry?: boolean;
        };
        CheckoutOptionsRequest: {
            wallets: {
                [key: string]: string;
            };
            settle_chain: string;
            settle_token: string;
            settle_amount: string;
        };
        CheckoutOptionsReply: {
            settle_chain: string;
            settle_token: string;
            settle_amount: string;
            options: components["schemas"]["CheckoutOption"][];
            read_chains: string[];
            skipped: components["schemas"]["SkippedChain"][];
        };
        CheckoutOption: {
            blockchain: string;
            token: string;
            chain_name: string;
            is_direct: boolean;
            balance: string;
            balance_usd: string | null;
            pay_amount: string | null;
            pay_amount_formatted: string | null;
            pay_amount_usd: string | null;
            sufficient: boolean;
            estimated_time: number | null;
            /** @enum {string} */
            method: "Direct" | "CrossChain";
            logo: string;
            chain_logo: string;
            error: string | null;
            /** Format: double */
            min_amount_usd: number | null;
        };
        CreateOrderRequest: {
            pay_blockchain: string;
            pay_token: string;
            settle_chain: string;
            settle_token: string;
            merchant_address: string;
            merchant_amount: string;
            fee_receiver: string;
            fee_amount: string;
            merchant_id: string;
            payer_address: string;
        };
        CreateOrderReply: components["schemas"]["DirectOrderCreated"] | components["schemas"]["CrossChainOrderCreated"];
        DirectPayment: {
            contract_address: string;
            chain: string;
            payment_order: components["schemas"]["PaymentOrder"];
            wallet_call?: components["schemas"]["DirectWalletCall"] | null;
        };
        PaymentOrder: {
            order_id: string;
            token_in: string;
            token_out: string;
            amount_in: string;
            token_in_address: string;
            merchant: string;
            merchant_amount: string;
            fee_receiver: string;
            fee_amount: string;
            deadline: number;
        };
        DirectWalletCall: {
            /** @enum {string} */
            family: "ton" | "solana" | "tron" | "sui";
            ton: components["schemas"]["TonCall"] | null;
            solana: components["schemas"]["SolanaCall"] | null;
            tron: components["schemas"]["TronCall"] | null;
            sui: components["schemas"]["SuiCall"] | null;
        };
        TonCall: {
            validUntil: number;
            messages: components["schemas"]["TonMessage"][];
        };
        TonMessage: {
            address: string;
            amount: string;
            payload: string;
            stateInit: string | null;
        };
        SolanaCall: {
            message: string;
            transaction: string;
            last_valid_block_height: number;
        };
        TronCall: {
            approval: components["schemas"]["TronTransaction"] | null;
            transaction: components["schemas"]["TronTransaction"];
        };
        TronTransaction: {
            txID: string;
            raw_data_hex: string;
            raw_data: string;
        };
        SuiCall: {
            transaction_kind: string;
        };
        DirectOrderCreated: {
            /** Format: uuid */
            order_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            method: "Direct";
            direct: components["schemas"]["DirectPayment"];
            cross_chain: null;
            /** Format: date-time */
            expires_at: string;
        };
        CrossChainPayment: {
            deposit_address: string;
            deposit_memo: string | null;
            deposit_blockchain: string;
            deposit_token: string;
            deposit_amount: string;
            deposit_amount_formatted: string;
            estimated_time: number;
            fee?: components["schemas"]["CrossChainFee"] | null;
        };
        CrossChainFee: {
            amount: string;
            /** @enum {string} */
            paid_to: "fee_receiver" | "operator";
            account: string;
            reason: string;
        };
        CrossChainOrderCreated: {
            /** Format: uuid */
            order_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            method: "CrossChain";
            direct: null;
            cross_chain: components["schemas"]["CrossChainPayment"];
            /** Format: date-time */
            expires_at: string;
        };
        ReportTransactionRequest: {
            tx_hash: string;
        };
        ReportTransactionReply: {
            ok: boolean;
            /** @enum {string} */
            status: "settling";
        };
        OrderReply: components["schemas"]["DirectOrder"] | components["schemas"]["CrossChainOrder"];
        LastReport: {
            tx_hash: string;
            /** @enum {string} */
            outcome: "pending" | "paid" | "rejected";
            reason: string | null;
            /** Format: date-time */
            reported_at: string;
        };
        OrderException: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "transfer" | "deposit" | "refund";
            chain: string;
            token: string;
            amount: string;
            tx_hash: string | null;
            reason: string;
            /** Format: date-time */
            seen_at: string;
        };
        DirectOrder: {
            /** Format: uuid */
            order_id: string;
            /** @enum {string} */
            status: "waiting_payment" | "settling" | "settled" | "failed" | "expired";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            method: "Direct";
            pay_tx: string | null;
            settle_tx: string | null;
            settled_amount: string | null;
            pay_blockchain: string;
            pay_token: string;
            settle_chain: string;
            settle_token: string;
            merchant_amount: string;
            fee_amount: string;
            merchant_id: string;
            failure_reason: string | null;
            late: boolean;
            last_report: components["schemas"]["LastReport"] | null;
            exceptions: components["schemas"]["OrderException"][];
            confirmations: number;
            required_confirmations: number;
            cross_chain: null;
            version: number;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        DepositView: {
            deposit_address: string;
            deposit_memo: string | null;
            deposit_blockchain: string;
            deposit_token: string;
            deposit_amount: string;
            deposit_amount_formatted: string;
            estimated_time: number;
            /** @enum {string} */
            deposit_status: "waiting" | "seen" | "incomplete" | "processing" | "delivered" | "refunded" | "failed";
            deposited_amount: string | null;
            refunded_amount: string | null;
            /** @enum {string|null} */
            settlement_proof: "chain" | "provider" | null;
            forwarded_refunds: components["schemas"]["ForwardedRefund"][];
        };
        ForwardedRefund: {
            /** @enum {string} */
            state: "pending" | "manual" | "sent" | "closed";
            amount: string;
            recipient: string | null;
            tx_hash: string | null;
        };
        CrossChainOrder: {
            /** Format: uuid */
            order_id: string;
            /** @enum {string} */
            status: "waiting_payment" | "settling" | "settled" | "failed" | "expired";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            method: "CrossChain";
            pay_tx: string | null;
            settle_tx: string | null;
            settled_amount: string | null;
            pay_blockchain: string;
            pay_token: string;
            settle_chain: string;
            settle_token: string;
            merchant_amount: string;
            fee_amount: string;
            merchant_id: string;
            failure_reason: string | null;
            late: boolean;
            last_report: components["schemas"]["LastReport"] | null;
            exceptions: components["schemas"]["OrderException"][];
            confirmations: number;
            required_confirmations: number;
            cross_chain: components["schemas"]["DepositView"];
            version: number;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WalletCallReply: {
            /** Format: uuid */
            order_id: string;
            chain: string;
            contract_address: string | null;
            deposit_address?: string | null;
            payment_order?: components["schemas"]["PaymentOrder"] | null;
            wallet_call: components["schemas"]["DirectWalletCall"] | null;
        };
        OrdersReply: {
            orders: components["schemas"]["OrderReply"][];
            count: number;
            limit: number;
            next_cursor: string | null;
        };
        SwapReply: {
            /** @enum {string} */
            status: "pending_deposit" | "known_deposit_tx" | "incomplete_deposit" | "processing" | "completed" | "refunded" | "failed";
            from_tx: string | null;
            to_tx: string | null;
            from_amount: string | null;
            deposited_amount: string | null;
            to_amount: string | null;
            refunded_amount: string | null;
            refund_reason: string | null;
            /** Format: uuid */
            order_id: string;
        };
        SwapQuoteRequest: components["schemas"]["SwapQuoteByInput"] | components["schemas"]["SwapQuoteByTokenIn"];
        TokenRef: {
            address: string;
            chainId: number;
            decimals?: number;
            symbol?: string;
        };
        SwapQuoteByInput: {
            inputToken: components["schemas"]["TokenRef"];
            outputToken: components["schemas"]["TokenRef"];
            inputAmount: string;
            /** @default 50 */
            slippageBps: number;
            userAddress?: string;
        };
        SwapQuoteByTokenIn: {
            tokenIn: components["schemas"]["TokenRef"];
            tokenOut: components["schemas"]["TokenRef"];
            amountIn: string;
            /** @default 50 */
            slippageBps: number;
            userAddress?: string;
        };
        SwapQuoteReply: {
            /** Format: uuid */
            quoteId: string;
            inputToken: components["schemas"]["SwapToken"];
            outputToken: components["schemas"]["SwapToken"];
            inputAmount: string;
            outputAmount: string;
            minOutputAmount: string;
            exchangeRate: string;
            priceImpact: string | null;
            slippageBps: number;
            fees: components["schemas"]["QuoteFee"][];
            route: components["schemas"]["RouteStep"][];
            provider: string;
            reason: string;
            asked: components["schemas"]["AskedProvider"][];
            estimatedGas: string;
            estimatedGasUsd: string | null;
            estimatedTime: number;
            expiresAt: number;
        };
        SwapToken: {
            address: string;
            symbol: string;
            decimals: number;
            chainId: number;
        };
        QuoteFee: {
            name: string;
            token: components["schemas"]["SwapToken"];
            amount: string;
            amountUsd: string | null;
            included: boolean;
        };
        RouteStep: {
            /** @enum {string} */
            type: "approval" | "originSwap" | "bridge" | "destinationSwap";
            venue: string;
            tokenIn: components["schemas"]["SwapToken"];
            tokenOut: components["schemas"]["SwapToken"];
            amountIn: string;
            amountOut: string;
        };
        AskedProvider: {
            provider: string;
            outputAmount: string | null;
            gasInOutputToken: string | null;
            problem: string | null;
        };
        BuildRequest: {
            /** Format: uuid */
            quoteId: string;
            userAddress: string;
            recipient?: string;
            deadline?: number;
            gasSettings?: components["schemas"]["GasSettings"];
            /** @default false */
            skipApprovals: boolean;
        };
        GasSettings: {
            gasLimit?: string;
            maxFeePerGas?: string;
            maxPriorityFeePerGas?: string;
            gasPrice?: string;
        };
        BuiltSet: {
            /** Format: uuid */
            transactionId: string;
            /** @enum {string} */
            status: "building" | "built" | "signing" | "submitting" | "submitted" | "confirming" | "completed" | "failed" | "expired";
            transactions: components["schemas"]["BuiltTransaction"][];
            summary: components["schemas"]["BuiltSummary"];
            outputAmount: string;
            minOutputAmount: string;
            validUntil: number;
        };
        BuiltTransaction: {
            chainId: number;
            to: string;
            data: string;
            value: string;
            gas: string;
            maxFeePerGas: string;
            maxPriorityFeePerGas: string;
            gasPrice?: string;
            nonce: number;
            /** @enum {string} */
            type: "approval" | "swap";
            description: string;
        };
        BuiltSummary: {
            totalGasEstimate: string;
            totalGasCostUsd: string;
            requiredApprovals: number;
            estimatedTime: number;
        };
        ExecuteRequest: {
            /** Format: uuid */
            transactionId: string;
            signatures: string[];
            /** @default true */
            broadcast: boolean;
        };
        ExecutedSet: {
            /** Format: uuid */
            transactionId: string;
            /** @enum {string} */
            status: "building" | "built" | "signing" | "submitting" | "submitted" | "confirming" | "completed" | "failed" | "expired";
            transactions: components["schemas"]["SentTransaction"][];
            progress: components["schemas"]["Progress"];
        };
        SentTransaction: {
            hash: string;
            chainId: number;
            /** @enum {string} */
            type: "approval" | "swap";
            /** @enum {string} */
            status: "waiting" | "pending" | "confirmed" | "failed" | "replaced" | "dropped";
            blockNumber?: number;
            gasUsed?: string;
            estimatedConfirmation?: number;
        };
        Progress: {
            currentStep: number;
            totalSteps: number;
            percentage: number;
            estimatedCompletion: number;
        };
        TransactionStatus: {
            /** Format: uuid */
            transactionId: string;
            /** @enum {string} */
            status: "building" | "built" | "signing" | "submitting" | "submitted" | "confirming" | "completed" | "failed" | "expired";
            result: components["schemas"]["TransactionResult"] | null;
            failure: components["schemas"]["TransactionFailure"] | null;
            timeline: components["schemas"]["TimelineItem"][];
            createdAt: number;
            completedAt: number | null;
            totalTime: number | null;
            details?: components["schemas"]["StatusDetails"];
        };
        TransactionResult: {
            success: boolean;
            finalAmountOut: string;
            actualGasUsed: string;
            totalGasCostUsd: string;
        };
        TransactionFailure: {
            /** @enum {string} */
            code: "TRANSACTION_FAILED" | "DEADLINE_EXCEEDED";
            message: string;
            details: components["schemas"]["FailureDetails"] | null;
        };
        FailureDetails: {
            /** @enum {string} */
            step: "approval" | "originSwap" | "bridge" | "destinationSwap";
            txHash: string | null;
            reason: string;
            gasUsed: string;
        };
        TimelineItem: {
            /** @enum {string} */
            step: "approval" | "originSwap" | "bridge" | "destinationSwap";
            /** @enum {string} */
            status: "pending" | "submitted" | "confirming" | "completed" | "failed";
            txHash?: string;
            timestamp?: number;
            gasUsed?: string;
            amountOut?: string;
        };
        StatusDetails: {
            built: components["schemas"]["BuiltTransaction"][];
            sent: components["schemas"]["SentTransaction"][];
            summary: components["schemas"]["BuiltSummary"];
            /** Format: uuid */
            quoteId: string;
            provider: string;
            userAddress: string;
            recipient: string;
            inputAmount: string;
            outputAmount: string;
            minOutputAmount: string;
            validUntil: number;
            confirmations: number;
            requiredConfirmations: number;
        };
        BatchRequest: {
            transactions: components["schemas"]["BatchItem"][];
            gasSettings?: components["schemas"]["GasSettings"];
        };
        BatchItem: {
            id: string;
            /** Format: uuid */
            quoteId: string;
            userAddress: string;
        };
        BatchReply: {
            /** Format: uuid */
            batchId: string;
            transactions: components["schemas"]["BatchItemResult"][];
            summary: components["schemas"]["BatchSummary"];
        };
        BatchItemResult: {
            id: string;
            /** Format: uuid */
            transactionId: string | null;
            /** @enum {string} */
            status: "built" | "failed";
            gasEstimate: string | null;
            error?: components["schemas"]["BatchError"];
        };
        BatchError: {
            code: string;
            message: string;
            details: unknown;
        };
        BatchSummary: {
            totalTransactions: number;
            totalGasEstimate: string;
            totalGasCostUsd: string;
            estimatedSavings: string;
        };
        CreatePaymentRequest: {
            amount: string;
            currency?: string;
            chain?: string;
            description?: string;
            metadata?: {
                [key: string]: unknown;
            };
            receive_address?: string;
            /** Format: date-time */
            expires_at?: string;
            /** Format: uri */
            success_url?: string;
            /** Format: uri */
            cancel_url?: string;
        };
        PaymentRequestReply: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "expired" | "canceled";
            amount: string;
            currency: string;
            chain: string;
            description: string;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Format: uuid */
            paylink_id: string | null;
            receive_address: string;
            receive_address_required: boolean;
            success_url: string | null;
            cancel_url: string | null;
            payment_link: string;
            qr_code_url: string;
            completed_payments: number;
            overpaid: boolean;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PaymentRequestsReply: {
            payment_requests: components["schemas"]["PaymentRequestReply"][];
            limit: number;
            next_cursor: string | null;
        };
        CancelPaymentRequest: Record<string, never>;
        SetReceiveAddressRequest: {
            receive_address: string;
        };
        PaymentsReply: {
            payments: components["schemas"]["MerchantPayment"][];
            total: number;
            total_is_capped: boolean;
            limit: number;
            next_cursor: string | null;
        };
        MerchantPayment: {
            /** Format: uuid */
            payment_id: string;
            /** Format: uuid */
            payment_request_id: string;
            /** @enum {string} */
            status: "executing" | "completed" | "failed" | "expired";
            amount: string;
            currency: string;
            chain: string;
            description: string;
            metadata: {
                [key: string]: unknown;
            } | null;
            from_token: string;
            from_chain: string;
            /** @enum {string} */
            execution_strategy: "direct" | "swap" | "bridge" | "swap_and_bridge";
            /** Format: uuid */
            order_id: string;
            pay_tx: string | null;
            settle_tx: string | null;
            settled_amount: string | null;
            settled_value_usd: string | null;
            failure_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        StatsReply: {
            today: components["schemas"]["PeriodStats"];
            this_week: components["schemas"]["PeriodStats"];
            this_month: components["schemas"]["PeriodStats"];
        };
        PeriodStats: {
            total_payments: number;
            /** Format: double */
            total_amount: number;
            /** @enum {string} */
            currency: "USD";
            unpriced_payments: number;
            by_currency: components["schemas"]["CurrencySum"][];
        };
        CurrencySum: {
            currency: string;
            chain: string;
            total_payments: number;
            total_amount: string;
        };
        PaymentDetailsReply: {
            payment_request: components["schemas"]["PublicPaymentRequest"];
            payment_options: components["schemas"]["PaymentOption"][];
        };
        PublicPaymentRequest: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "expired" | "canceled";
            amount: string;
            amount_formatted: string;
            currency: string;
            chain: string;
            chain_name: string;
            description: string;
            merchant: string;
            store_name: string | null;
            store_color: string | null;
            store_logo: string | null;
            embed_origins: string[];
            receive_address: string;
            receive_address_required: boolean;
            success_url: string | null;
            cancel_url: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: uuid */
            payment_id: string | null;
            attempt?: components["schemas"]["PaymentAttempt"] | null;
            /** Format: uuid */
            paylink_id: string | null;
        };
        PaymentAttempt: {
            /** Format: uuid */
            payment_id: string;
            /** @enum {string} */
            state: "asking" | "sent" | "failed" | "unknown";
            tx_hash: string | null;
            /** Format: date-time */
            until: string | null;
        };
        PaymentOption: {
            from_token: string;
            from_chain: string;
            from_amount: string;
            from_amount_formatted: string;
            from_amount_usd: string | null;
            from_chain_name: string;
            /** @enum {string} */
            execution_strategy: "direct" | "swap" | "bridge" | "swap_and_bridge";
            estimated_time: string;
            estimated_seconds: number;
            needs_payer_address: boolean;
            logo: string;
        };
        ExecutePaymentRequest: {
            selected_option: components["schemas"]["SelectedOption"];
            payer_address?: string;
        };
        SelectedOption: {
            from_token: string;
            from_chain: string;
        };
        ExecutePaymentReply: {
            /** Format: uuid */
            payment_id: string;
            /** Format: uuid */
            payment_request_id: string;
            /** @enum {string} */
            status: "executing" | "completed" | "failed" | "expired";
            /** Format: date-time */
            estimated_completion: string;
            order: components["schemas"]["CreateOrderReply"];
        };
        PaymentStatusReply: {
            /** Format: uuid */
            payment_id: string;
            /** Format: uuid */
            payment_request_id: string;
            /** @enum {string} */
            status: "executing" | "completed" | "failed" | "expired";
            payment_request: components["schemas"]["PublicPaymentRequest"];
            steps: components["schemas"]["PaymentStep"][];
            progress: number;
            from_token: string;
            from_chain: string;
            /** @enum {string} */
            execution_strategy: "direct" | "swap" | "bridge" | "swap_and_bridge";
            /** Format: uuid */
            order_id: string;
            order: components["schemas"]["CreateOrderReply"];
            instructions: components["schemas"]["PaymentInstructions"] | null;
            pay_tx: string | null;
            settle_tx: string | null;
            failure_reason: string | null;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PaymentStep: {
            /** @enum {string} */
            step_type: "swap" | "bridge" | "transfer";
            /** @enum {string} */
            status: "pending" | "executing" | "completed" | "failed";
            transaction_hash: string | null;
        };
        PaymentInstructions: {
            chain_id: number | null;
            approve: components["schemas"]["WalletCall"] | null;
            pay: components["schemas"]["WalletCall"] | null;
            transfer?: components["schemas"]["WalletCall"] | null;
            uri: string | null;
            wallet_call_url?: string | null;
        };
        WalletCall: {
            to: string;
            data: string;
            value: string;
        };
        OverviewReply: {
            totalVolumeUsd: string;
            totalPayments: number;
            /** Format: double */
            successRate: number | null;
            activePaylinks: number;
            unpricedPayments: number;
            confirmedByMerchant: number;
            volumeByToken: components["schemas"]["TokenVolume"][];
            volumeByChain: components["schemas"]["ChainVolume"][];
            daily: components["schemas"]["DailyVolume"][];
        };
        TokenVolume: {
            token: string;
            amount: string | null;
            volumeUsd: string;
            payments: number;
        };
        ChainVolume: {
            network: string;
            volumeUsd: string;
            payments: number;
        };
        DailyVolume: {
            /** Format: date */
            date: string;
            volumeUsd: string;
            payments: number;
        };
        TransactionRecord: {
            /** Format: uuid */
            payment_request_id: string | null;
            /** Format: uuid */
            paylink_id: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Format: uuid */
            id: string;
            wallet_address: string;
            /** @enum {string} */
            tx_type: "payment" | "refund";
            amount: string;
            token: string;
            network: string;
            /** @enum {string} */
            status: "pending" | "completed" | "failed" | "expired" | "reversed";
            tx_hash: string;
            counterparty: string | null;
            description: string;
            /** Format: uuid */
            order_id: string | null;
            value_usd: string | null;
            fee_amount: string;
            late: boolean;
            /** @enum {string|null} */
            confirmed_by: "chain" | "merchant" | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        LedgerProofReply: {
            ok: boolean;
            /** Format: date-time */
            halted_at: string | null;
            problems: components["schemas"]["LedgerProblem"][];
            assets: components["schemas"]["LedgerAssetProof"][];
            transactions: number;
            waiting: number;
            last_hash: string;
            segments: number;
            checked: components["schemas"]["CheckedSegment"][];
            /** Format: date-time */
            all_checked_since: string | null;
        };
        LedgerProblem: {
            /** @enum {string} */
            code: "unbalanced" | "hash" | "missing" | "sums" | "implausible";
            segment: number;
            seq: number | null;
        };
        LedgerAssetProof: {
            chain: string;
            token: string;
            debits: string;
            credits: string;
            sum: string;
            received: string;
            fees: string;
            refunds: string;
            entries: number;
            transactions: number;
        };
        CheckedSegment: {
            segment: number;
            from_seq: number;
            to_seq: number;
        };
        LedgerEntriesReply: {
            entries: components["schemas"]["LedgerEntry"][];
            limit: number;
            next_cursor: string | null;
        };
        LedgerEntry: {
            /** Format: uuid */
            payment_request_id: string | null;
            /** Format: uuid */
            paylink_id: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            seq: number;
            position: number;
            /** Format: uuid */
            transaction_id: string;
            /** @enum {string} */
            kind: "payment" | "refund" | "reversal" | "correction";
            reference: string;
            version: number;
            /** @enum {string} */
            account: "payer" | "merchant:received" | "fees" | "refunds";
            chain: string;
            token: string;
            amount: string;
            /** Format: date-time */
            occurred_at: string;
            hash: string;
            description: string;
        };
        PayLink: {
            /** Format: uuid */
            id: string;
            wallet_address: string;
            name: string;
            amount: string;
            token: string;
            network: string;
            description: string;
            receive_address: string;
            receiver_verified: boolean;
            image_url?: string;
            active: boolean;
            payment_count: number;
            unverified_count: number;
            verifiable: boolean;
            reference: string | null;
            open_amount: boolean;
            min_amount: string | null;
            /** Format: date-time */
            expires_at: string | null;
            max_payments: number | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            success_url: string | null;
            cancel_url: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CreatePayLinkRequest: {
            name: string;
            amount?: string;
            token?: string;
            network?: string;
            description: string;
            receiveAddress: string;
            imageUrl?: string;
            /** Format: date-time */
            expiresAt?: string;
            maxPayments?: number;
            openAmount?: boolean;
            minAmount?: string;
            metadata?: {
                [key: string]: unknown;
            };
            successUrl?: string;
            cancelUrl?: string;
        };
        TogglePayLinkRequest: {
            active: boolean;
        };
        PayLinkDeleted: {
            ok: boolean;
        };
        PublicPayLink: {
            /** Format: uuid */
            id: string;
            name: string;
            amount: string;
            token: string;
            network: string;
            description: string;
            storeName: string | null;
            storeColor: string | null;
            storeLogo: string | null;
            embedOrigins: string[];
            receiveAddress: string;
            imageUrl?: string;
            /** Format: date-time */
            expiresAt: string | null;
            openAmount: boolean;
            minAmount: string | null;
            successUrl: string | null;
            cancelUrl: string | null;
            tokenAddress: string | null;
            decimals: number;
            receiverVerified: boolean;
            reference: string | null;
        };
        PayLinkCheckoutRequest: {
            amount?: string;
            /** Format: uuid */
            key?: string;
        };
        PayLinkCheckout: {
            /** Format: uuid */
            payment_request_id: string;
            payment_link: string;
            /** Format: date-time */
            expires_at: string;
        };
        RecordPaymentRequest: {
            txHash: string;
        };
        RecordPaymentReply: {
            success: boolean;
            verified: boolean;
            /** @enum {string} */
            status?: "pending" | "unverifiable" | "partial" | "excess" | "late" | "inactive";
            error?: string;
        };
        PayLinkPayment: {
            /** Format: uuid */
            id: string;
            tx_hash: string;
            /** @enum {string} */
            status: "pending" | "unverifiable" | "counted" | "partial" | "excess" | "late" | "inactive" | "rejected";
            verified: boolean;
            confirmed: boolean;
            amount: string | null;
            payer: string | null;
            value_usd: string | null;
            /** Format: uuid */
            order_id: string | null;
            /** Format: uuid */
            part_of: string | null;
            reason: string | null;
            /** Format: date-time */
            paid_at: string | null;
            /** Format: date-time */
            recorded_at: string;
            receiver_balance: components["schemas"]["ReceiverBalance"] | null;
        };
        ReceiverBalance: {
            at_report: string | null;
            now: string | null;
        };
        DecidePaymentRequest: Record<string, never>;
        ExceptionsReply: {
            exceptions: components["schemas"]["PaymentException"][];
            limit: number;
            next_cursor: string | null;
        };
        PaymentException: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "partial" | "overpaid" | "excess" | "late" | "inactive" | "other_token" | "other_network" | "plain_transfer" | "second_payment" | "refund";
            /** @enum {string} */
            status: "open" | "resolved";
            /** @enum {string|null} */
            resolution: "completed" | "reverted" | "returned" | "merchant" | null;
            /** Format: uuid */
            paylink_id: string | null;
            /** Format: uuid */
            order_id: string | null;
            network: string;
            token: string;
            amount: string;
            tx_hash: string | null;
            payer: string | null;
            reason: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ExceptionQuery: Record<string, never>;
        ReceiverChallengeRequest: {
            address: string;
            chainId?: number;
        };
        ReceiverChallengeReply: {
            address: string;
            wallet: string;
            /** @enum {string} */
            scheme: "eip4361" | "ton_proof" | "solana";
            nonce: string;
            message?: string;
            payload?: string;
            domain: string;
            chainId?: number;
            /** Format: date-time */
            issuedAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        VerifyReceiverRequest: {
            address: string;
            nonce: string;
            message?: string;
            signature?: string;
            proof?: components["schemas"]["TonProofRequest"];
        };
        TonProofRequest: {
            timestamp: number;
            domain: components["schemas"]["ProofDomain"];
            payload: string;
            signature: string;
            stateInit: string;
        };
        ProofDomain: {
            lengthBytes: number;
            value: string;
        };
        Receiver: {
            address: string;
            /** @enum {string} */
            scheme: "eip4361" | "ton_proof" | "solana";
            chainId: number | null;
            /** Format: date-time */
            verifiedAt: string;
        };
        ReceiverDeleted: {
            ok: boolean;
        };
        KeyView: {
            /** Format: uuid */
            id: string;
            key: string;
            label: string;
            permissions: ("read" | "pay" | "write" | "settings" | "webhooks")[];
            monthlyBudget: string;
            maxPerTx: string;
            enabled: boolean;
            /** Format: double */
            usedBudget: number;
            /** @enum {string} */
            plan: "free" | "pro" | "enterprise";
            /** Format: date-time */
            previousSecretValidUntil: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        CreateKeyRequest: {
            label: string;
            permissions: ("read" | "pay" | "write" | "settings" | "webhooks")[];
            monthlyBudget?: string;
            maxPerTx?: string;
        };
        CreateKeyReply: {
            /** Format: uuid */
            id: string;
            key: string;
            secret: string;
            /** Format: date-time */
            createdAt: string;
        };
        ToggleKeyRequest: {
            enabled: boolean;
        };
        RegenerateKeyRequest: {
            /** @default 0 */
            gracePeriodSeconds: number;
        };
        RegenerateKeyReply: {
            secret: string;
            /** Format: date-time */
            previousSecretValidUntil: string | null;
        };
        DeleteKeyReply: {
            ok: boolean;
        };
        SpendsReply: {
            spends: components["schemas"]["SpendView"][];
            count: number;
            limit: number;
            next_cursor: string | null;
            nextCursor: string | null;
        };
        SpendView: {
            reference: string;
            /** @enum {string} */
            kind: "order" | "swap" | "purchase" | "topup" | "payout";
            description: string;
            /** @enum {string} */
            status: "reserved" | "captured" | "released";
            valueUsd: string | null;
            month: string;
            late: boolean;
            /** Format: date-time */
            reservedAt: string;
            /** Format: date-time */
            endedAt: string | null;
        };
        ChallengeRequest: {
            wallet: string;
            chainId?: number;
        };
        ChallengeReply: {
            wallet: string;
            /** @enum {string} */
            scheme: "eip4361" | "ton_proof" | "solana";
            nonce: string;
            message?: string;
            payload?: string;
            domain: string;
            chainId?: number;
            /** Format: date-time */
            issuedAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        VerifyRequest: {
            wallet: string;
            nonce: string;
            message?: string;
            signature?: string;
            proof?: components["schemas"]["TonProofRequest"];
        };
        VerifyReply: {
            token: string;
            wallet: string;
            /** Format: uuid */
            sessionId: string;
            /** Format: date-time */
            expiresAt: string;
        };
        SessionsReply: {
            sessions: components["schemas"]["Session"][];
        };
        Session: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            scheme: "eip4361" | "ton_proof" | "solana";
            chainId: number | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        SessionRevokedReply: {
            ok: boolean;
        };
        SettingsDeleted: {
            ok: boolean;
        };
        WebhooksReply: {
            webhooks: components["schemas"]["WebhookMessage"][];
            count: number;
            limit: number;
            next_cursor: string | null;
            nextCursor: string | null;
        };
        WebhookMessage: {
            id: string;
            /** @enum {string} */
            type: "order.created" | "order.settling" | "order.settled" | "order.reopened" | "order.failed" | "order.exception" | "order.expired" | "order.reorged" | "order.refunded" | "payment.executing" | "payment.completed" | "payment.failed" | "payment.expired" | "paylink.paid" | "paylink.payment_unverifiable" | "paylink.payment_rejected" | "paylink.payment_reverted" | "payment.exception" | "transaction.completed" | "transaction.failed" | "purchase.completed" | "purchase.failed" | "key.budget_warning" | "key.budget_reached" | "payout.updated" | "webhook.test";
            /** @enum {string} */
            status: "pending" | "delivered" | "failing" | "parked";
            attempts: number;
            lastStatus: number | null;
            lastError: string | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        WebhookEndpointReply: {
            url: string | null;
            enabled: boolean;
            /** @enum {string} */
            circuit: "closed" | "open";
            /** Format: date-time */
            pausedUntil: string | null;
            /** Format: date-time */
            secretCreatedAt: string | null;
            /** Format: date-time */
            previousSecretUntil: string | null;
        };
        WebhookTypesReply: {
            types: components["schemas"]["WebhookTypeView"][];
        };
        WebhookTypeView: {
            /** @enum {string} */
            name: "order.created" | "order.settling" | "order.settled" | "order.reopened" | "order.failed" | "order.exception" | "order.expired" | "order.reorged" | "order.refunded" | "payment.executing" | "payment.completed" | "payment.failed" | "payment.expired" | "paylink.paid" | "paylink.payment_unverifiable" | "paylink.payment_rejected" | "paylink.payment_reverted" | "payment.exception" | "transaction.completed" | "transaction.failed" | "purchase.completed" | "purchase.failed" | "key.budget_warning" | "key.budget_reached" | "payout.updated" | "webhook.test";
            description: string;
            schema: {
                [key: string]: unknown;
            };
            example: {
                [key: string]: unknown;
            };
        };
        WebhookDetails: {
            id: string;
            /** @enum {string} */
            type: "order.created" | "order.settling" | "order.settled" | "order.reopened" | "order.failed" | "order.exception" | "order.expired" | "order.reorged" | "order.refunded" | "payment.executing" | "payment.completed" | "payment.failed" | "payment.expired" | "paylink.paid" | "paylink.payment_unverifiable" | "paylink.payment_rejected" | "paylink.payment_reverted" | "payment.exception" | "transaction.completed" | "transaction.failed" | "purchase.completed" | "purchase.failed" | "key.budget_warning" | "key.budget_reached" | "payout.updated" | "webhook.test";
            /** @enum {string} */
            status: "pending" | "delivered" | "failing" | "parked";
            attempts: number;
            lastStatus: number | null;
            lastError: string | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            payload: {
                [key: string]: unknown;
            };
            log: components["schemas"]["WebhookAttempt"][];
        };
        WebhookAttempt: {
            /** Format: date-time */
            at: string;
            ms: number;
            status: number | null;
            error: string | null;
        };
        WebhookQuery: Record<string, never>;
        ListenToWebhooksRequest: {
            /** @default 60 */
            seconds: number;
        };
        ListenToWebhooksReply: {
            /** Format: date-time */
            until: string;
            url: string | null;
        };
        WebhookTestRequest: {
            /** @enum {string} */
            type?: "order.created" | "order.settling" | "order.settled" | "order.reopened" | "order.failed" | "order.exception" | "order.expired" | "order.reorged" | "order.refunded" | "payment.executing" | "payment.completed" | "payment.failed" | "payment.expired" | "paylink.paid" | "paylink.payment_unverifiable" | "paylink.payment_rejected" | "paylink.payment_reverted" | "payment.exception" | "transaction.completed" | "transaction.failed" | "purchase.completed" | "purchase.failed" | "key.budget_warning" | "key.budget_reached" | "payout.updated" | "webhook.test";
        };
        WebhookTestReply: {
            id: string;
            delivered: boolean;
            status: number | null;
            error: string | null;
            ms: number;
        };
        NoWebhookFields: Record<string, never>;
        RotateWebhookSecretRequest: {
            /** @default 86400 */
            gracePeriodSeconds: number;
        };
        WebhookSecretReply: {
            secret: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            previousSecretUntil: string | null;
        };
        CatalogReply: {
            services: components["schemas"]["CatalogService"][];
            count: number;
        };
        CatalogService: {
            id: string;
            name: string;
            category: string;
            description: string;
            price: components["schemas"]["ServicePrice"];
            /** @enum {string} */
            method: "GET" | "POST";
            route: string;
            request: {
                [key: string]: unknown;
            };
            routes: components["schemas"]["ServiceRoute"][];
            keywords: string[];
            available: boolean;
            /** @enum {string} */
            availability: "available" | "not_configured";
        };
        ServicePrice: {
            /** @enum {string} */
            model: "free" | "face_value" | "provider_price" | "percentage";
            description: string;
        };
        ServiceRoute: {
            /** @enum {string} */
            method: "GET" | "POST";
            route: string;
            request: {
                [key: string]: unknown;
            };
        };
        CatalogSearchReply: {
            services: components["schemas"]["CatalogService"][];
            count: number;
        };
        PayoutRequest: {
            wallet: string;
            chain: string;
            token: string;
            recipients: components["schemas"]["PayoutRecipient"][] | string;
            /** @default false */
            allowDuplicates: boolean;
        };
        PayoutRecipient: {
            address: string;
            /** Format: double */
            amount: number;
        };
        PayoutPreview: {
            wallet: string;
            chain: string;
            token: string;
            recipientCount: number;
            /** Format: double */
            totalAmount: number;
            totalAmountAtomic: string;
            /** Format: double */
            fee: number;
            feeAtomic: string;
            estimatedGas: string;
            /** @enum {string} */
            gasSource: "simulated" | "assumed";
            warnings: components["schemas"]["PayoutWarning"][];
            warningCount: number;
        };
        PayoutWarning: {
            /** @enum {string} */
            code: "LOOK_ALIKE" | "DUPLICATE" | "OWN_WALLET" | "INSUFFICIENT_BALANCE" | "RECIPIENT_REFUSED" | "NOT_SIMULATED";
            field: string;
            message: string;
        };
        PayoutReply: {
            wallet: string;
            chain: string;
            token: string;
            recipientCount: number;
            /** Format: double */
            totalAmount: number;
            totalAmountAtomic: string;
            /** Format: double */
            fee: number;
            feeAtomic: string;
            estimatedGas: string;
            /** @enum {string} */
            gasSource: "simulated" | "assumed";
            warnings: components["schemas"]["PayoutWarning"][];
            warningCount: number;
            /** Format: uuid */
            payoutId: string;
            /** @enum {string} */
            status: "pending";
            message: string;
            /** Format: date-time */
            createdAt: string;
        };
        PayoutsReply: {
            payouts: components["schemas"]["PayoutSummary"][];
            limit: number;
            next_cursor: string | null;
        };
        PayoutSummary: {
            /** Format: uuid */
            payoutId: string;
            chain: string;
            token: string;
            recipientCount: number;
            totalAmountAtomic: string;
            feeAtomic: string;
            /** @enum {string|null} */
            state: "awaiting_approval" | "sending" | "completed" | "partly_paid" | "failed" | "rejected" | "expired" | null;
            /** Format: date-time */
            approveBefore: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        PayoutRecord: {
            wallet: string;
            chain: string;
            token: string;
            recipientCount: number;
            /** Format: double */
            totalAmount: number;
            totalAmountAtomic: string;
            /** Format: double */
            fee: number;
            feeAtomic: string;
            estimatedGas: string;
            /** @enum {string} */
            gasSource: "simulated" | "assumed";
            warnings: components["schemas"]["PayoutWarning"][];
            warningCount: number;
            /** Format: uuid */
            payoutId: string;
            /** @enum {string} */
            status: "pending";
            message: string;
            /** Format: date-time */
            createdAt: string;
            /** @enum {string|null} */
            state: "awaiting_approval" | "sending" | "completed" | "partly_paid" | "failed" | "rejected" | "expired" | null;
            /** Format: date-time */
            approveBefore: string | null;
            allowance: components["schemas"]["PayoutAllowance"] | null;
            batches: components["schemas"]["PayoutBatch"][];
            recipients: components["schemas"]["PaidRecipient"][];
        };
        PayoutAllowance: {
            spender: string;
            neededAtomic: string;
            allowedAtomic: string;
            transaction: {
                chainId: number;
                to: string;
                data: string;
                value: string;
            } | null;
        };
        PayoutBatch: {
            index: number;
            firstRecipient: number;
            recipientCount: number;
            totalAmountAtomic: string;
            feeAtomic: string;
            /** @enum {string} */
            status: "waiting" | "ready" | "sending" | "paid" | "failed";
            reason: string | null;
            transactionHash: string | null;
            typedData: {
                [key: string]: unknown;
            } | null;
        };
        PaidRecipient: {
            address: string;
            /** Format: double */
            amount: number;
            amountAtomic: string;
            /** @enum {string} */
            status: "pending" | "sending" | "paid" | "refused" | "failed";
            transactionHash: string | null;
        };
        PayoutApproval: {
            signatures: string[];
        };
        PayoutDecision: {
            /** Format: uuid */
            payoutId: string;
            /** @enum {string} */
            state: "awaiting_approval" | "sending" | "completed" | "partly_paid" | "failed" | "rejected" | "expired";
        };
        PayoutQuery: Record<string, never>;
        EmailDomainsReply: {
            domains: components["schemas"]["EmailDomain"][];
        };
        EmailDomain: {
            id: string;
            domain: string;
        };
        EmailAccountRequest: {
            username?: string;
        };
        EmailAccount: {
            address: string;
            password: string;
            token: string;
            id: string;
        };
        EmailMessagesReply: {
            messages: components["schemas"]["EmailMessageSummary"][];
            count: number;
            page: number;
        };
        EmailMessageSummary: {
            id: string;
            from: components["schemas"]["EmailParty"];
            to: components["schemas"]["EmailParty"][];
            subject: string;
            intro: string;
            seen: boolean;
            hasAttachments: boolean;
            size: number;
            /** Format: date-time */
            createdAt: string;
        };
        EmailParty: {
            address: string;
            name: string;
        };
        EmailMessageDetails: {
            id: string;
            from: components["schemas"]["EmailParty"];
            to: components["schemas"]["EmailParty"][];
            subject: string;
            intro: string;
            seen: boolean;
            hasAttachments: boolean;
            size: number;
            /** Format: date-time */
            createdAt: string;
            text: string;
            html: string | null;
            truncated: boolean;
            code: string | null;
        };
        EmailAccountAndWaitRequest: {
            username?: string;
            /** @default 120 */
            timeout: number;
        };
        EmailAccountAndWaitReply: {
            address: string;
            password: string;
            token: string;
            id: string;
            message: components["schemas"]["FirstEmail"] | null;
            code: string | null;
            timeout: boolean;
        };
        FirstEmail: {
            id: string;
            from: components["schemas"]["EmailParty"];
            subject: string;
            text: string;
            /** Format: date-time */
            createdAt: string;
        };
        AgentInboxRequest: {
            name: string;
        };
        AgentInbox: {
            inboxId: string;
            inbox_id: string;
            email: string;
            name: string;
            /** Format: date-time */
            createdAt: string;
        };
        AgentSendRequest: {
            inbox_id: string;
            to: string;
            subject: string;
            text: string;
        };
        AgentSendReply: {
            messageId: string;
            threadId: string;
        };
        EmailSendRequest: {
            to: string;
            subject: string;
            text?: string;
            html?: string;
            from?: string;
        };
        EmailSendReply: {
            id: string;
            from: string;
        };
        AgentEmailRequest: {
            agentId: string;
        };
        AgentEmailReply: {
            address: string;
            domain: string;
        };
        GiftCardProduct: {
            productId: number;
            productName: string;
            countryCode: string;
            countryName: string;
            brandName: string;
            categoryName: string | null;
            /** @enum {string} */
            denominationType: "FIXED" | "RANGE";
            recipientCurrencyCode: string;
            /** Format: double */
            minRecipientDenomination: number | null;
            /** Format: double */
            maxRecipientDenomination: number | null;
            fixedRecipientDenominations: number[];
            senderCurrencyCode: string;
            /** Format: double */
            minSenderDenomination: number | null;
            /** Format: double */
            maxSenderDenomination: number | null;
            fixedSenderDenominations: number[];
            /** Format: double */
            senderFee: number;
            /** Format: double */
            senderFeePercentage: number;
            /** Format: double */
            discountPercentage: number;
            logoUrls: string[];
            redeemInstructions: string | null;
        };
        GiftCardOrderRequest: {
            productId: number;
            countryCode?: string;
            quantity: number;
            /** Format: double */
            unitPrice: number;
            customIdentifier?: string;
            senderName: string;
            /** Format: email */
            recipientEmail?: string;
        };
        GiftCardOrder: {
            /** Format: uuid */
            id: string;
            customIdentifier: string;
            transactionId: number;
            /** @enum {string} */
            status: "SUCCESSFUL" | "PENDING";
            /** Format: double */
            amount: number;
            currencyCode: string;
            /** Format: double */
            discount: number;
            /** Format: double */
            fee: number;
            recipientEmail: string | null;
            product: components["schemas"]["OrderedProduct"];
            /** Format: date-time */
            transactionCreatedTime: string;
            cards: components["schemas"]["GiftCardCode"][] | null;
        };
        OrderedProduct: {
            productId: number;
            productName: string;
            countryCode: string;
            quantity: number;
            /** Format: double */
            unitPrice: number;
            /** Format: double */
            totalPrice: number;
            currencyCode: string;
        };
        GiftCardCode: {
            cardNumber: string | null;
            pinCode: string | null;
        };
        AirtimeOperator: {
            operatorId: number;
            name: string;
            countryCode: string;
            phone: string;
            /** @enum {string} */
            denominationType: "FIXED" | "RANGE";
            senderCurrencyCode: string;
            destinationCurrencyCode: string;
            supportsLocalAmounts: boolean;
            /** Format: double */
            minAmount: number | null;
            /** Format: double */
            maxAmount: number | null;
            /** Format: double */
            localMinAmount: number | null;
            /** Format: double */
            localMaxAmount: number | null;
            fixedAmounts: number[];
            localFixedAmounts: number[];
            suggestedAmounts: number[];
            /** Format: double */
            mostPopularAmount: number | null;
            /** Format: double */
            fxRate: number | null;
            logoUrls: string[];
        };
        TopUpRequest: {
            operatorId: number;
            /** Format: double */
            amount: number;
            /** @default false */
            useLocalAmount: boolean;
            customIdentifier?: string;
            recipientPhone: components["schemas"]["RecipientPhone"];
        };
        RecipientPhone: {
            countryCode: string;
            number: string;
        };
        TopUp: {
            /** Format: uuid */
            id: string;
            customIdentifier: string;
            transactionId: number;
            /** @enum {string} */
            status: "SUCCESSFUL" | "PENDING";
            operatorTransactionId: string | null;
            operatorId: number;
            operatorName: string;
            countryCode: string;
            recipientPhone: string;
            /** Format: double */
            requestedAmount: number;
            requestedAmountCurrencyCode: string;
            /** Format: double */
            deliveredAmount: number | null;
            deliveredAmountCurrencyCode: string | null;
            /** Format: double */
            discount: number;
            /** Format: double */
            fee: number;
            /** Format: date-time */
            transactionDate: string;
            pinDetail: components["schemas"]["PinDetail"] | null;
        };
        PinDetail: {
            code: string;
            serial: string | null;
            info: string | null;
        };
        Biller: {
            id: number;
            name: string;
            countryCode: string;
            type: string;
            serviceType: string;
            /** @enum {string} */
            denominationType: "FIXED" | "RANGE";
            requiresInvoice: boolean;
            localAmountSupported: boolean;
            localTransactionCurrencyCode: string | null;
            /** Format: double */
            minLocalTransactionAmount: number | null;
            /** Format: double */
            maxLocalTransactionAmount: number | null;
            /** Format: double */
            localTransactionFee: number | null;
            /** Format: double */
            localTransactionFeePercentage: number | null;
            localFixedAmounts: number[];
            internationalAmountSupported: boolean;
            internationalTransactionCurrencyCode: string | null;
            /** Format: double */
            minInternationalTransactionAmount: number | null;
            /** Format: double */
            maxInternationalTransactionAmount: number | null;
            /** Format: double */
            internationalTransactionFee: number | null;
            /** Format: double */
            internationalTransactionFeePercentage: number | null;
            /** Format: double */
            fxRate: number | null;
        };
        PayBillRequest: {
            subscriberAccountNumber: string;
            /** Format: double */
            amount: number;
            billerId: number;
            /** @default false */
            useLocalAmount: boolean;
            customIdentifier?: string;
        };
        BillPayment: {
            /** Format: uuid */
            id: string;
            customIdentifier: string;
            transactionId: number;
            /** @enum {string} */
            status: "SUCCESSFUL" | "PENDING";
            billerId: number;
            subscriberAccountNumber: string;
            /** Format: double */
            amount: number;
            amountCurrencyCode: string | null;
            /** Format: double */
            fee: number | null;
            /** Format: date-time */
            submittedAt: string;
            pinDetails: components["schemas"]["PinDetail"] | null;
        };
        ServiceBalance: {
            /** Format: double */
            balance: number;
            currencyCode: string;
            currencyName: string;
            /** Format: date-time */
            updatedAt: string;
        };
        RentNumberRequest: {
            service: string;
            country: number | string;
        };
        VirtualNumber: {
            /** Format: uuid */
            id: string;
            number: string;
            activationId: string;
        };
        CodeStatus: {
            /** Format: uuid */
            id: string;
            number: string;
            activationId: string;
            /** @enum {string} */
            status: "received" | "STATUS_WAIT_CODE" | "STATUS_CANCEL";
            code?: string;
        };
        AwaitCodeRequest: {
            service: string;
            country: number | string;
            /** @default 120 */
            timeout: number;
        };
        AwaitedCode: {
            /** Format: uuid */
            id: string;
            number: string;
            activationId: string;
            code: string | null;
            timeout?: boolean;
        };
        SendSmsRequest: {
            to: string;
            body: string;
        };
        SentSms: {
            sid: string;
            status: string;
            segments: number;
        };
        GetCardRequest: {
            wallet: string;
            /** Format: double */
            amount: number;
        };
        NewCard: {
            /** Format: uuid */
            cardId: string;
            issuerCardId: string;
            wallet: string;
            /** Format: double */
            amount: number;
            /** @enum {string} */
            currency: "USD";
            /** @enum {string} */
            status: "pending" | "open" | "paused" | "closed";
            lastFour: string | null;
            /** Format: date-time */
            createdAt: string;
            number?: string;
            cvv?: string;
            expMonth?: string;
            expYear?: string;
        };
        CardData: {
            /** Format: uuid */
            cardId: string;
            issuerCardId: string;
            wallet: string;
            /** Format: double */
            amount: number;
            /** @enum {string} */
            currency: "USD";
            /** @enum {string} */
            status: "pending" | "open" | "paused" | "closed";
            lastFour: string | null;
            /** Format: date-time */
            createdAt: string;
            number: string | null;
            cvv: string | null;
            expMonth: string | null;
            expYear: string | null;
        };
        MyCardsReply: {
            cards: components["schemas"]["CardRecord"][];
            limit: number;
            next_cursor: string | null;
            nextCursor: string | null;
        };
        CardRecord: {
            /** Format: uuid */
            cardId: string;
            issuerCardId: string;
            wallet: string;
            /** Format: double */
            amount: number;
            /** @enum {string} */
            currency: "USD";
            /** @enum {string} */
            status: "pending" | "open" | "paused" | "closed";
            lastFour: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        NanoBalance: {
            address: string;
            asset: string;
            available: string;
            reserved: string;
            spent: string;
            earned: string;
            settled: string;
            unsettled: string;
            deposited: string;
            withdrawn: string;
            totalDeposited: string;
            totalSpent: string;
            /** Format: date-time */
            updatedAt: string;
        };
        NanoStats: {
            payments: string;
            volume: string;
            accounts: number;
            pendingSettlement: string;
            pendingApprovals: number;
            rejected: number;
            /** Format: double */
            p50Ms: number;
            /** Format: double */
            p99Ms: number;
            ledger: components["schemas"]["LedgerPosition"];
            uptimeSeconds: number;
        };
        LedgerPosition: {
            seq: string;
            head: string;
        };
        PolicyRequest: {
            address: string;
            maxAmount: string;
            rateLimit: number;
            proof?: components["schemas"]["OwnerProof"];
        };
        OwnerProof: {
            signature: string;
            validBefore: string;
            publicKey?: string;
            stateInit?: string;
            /**
             * @default raw
             * @enum {string}
             */
            signatureKind: "raw" | "tonconnect";
            domain?: string;
            timestamp?: string;
            nonce: string;
        };
        Policy: {
            address: string;
            maxAmount: string | null;
            rateLimit: number | null;
            /** Format: date-time */
            updatedAt: string | null;
        };
        CancellationRequest: {
            address: string;
            nonce: string;
            proof: components["schemas"]["OwnerSignature"];
        };
        OwnerSignature: {
            signature: string;
            validBefore: string;
            publicKey?: string;
            stateInit?: string;
            /**
             * @default raw
             * @enum {string}
             */
            signatureKind: "raw" | "tonconnect";
            domain?: string;
            timestamp?: string;
        };
        Cancellation: {
            address: string;
            nonce: string;
            /** @enum {string} */
            status: "cancelled";
        };
        NanoPayment: {
            confirmationId: string;
            /** @enum {string} */
            status: "held" | "captured" | "voided" | "expired";
            from: string;
            to: string;
            amount: string;
            chargedAmount: string;
            receipt: components["schemas"]["NanoReceipt"] | null;
            refund: components["schemas"]["NanoReceipt"] | null;
        };
        NanoReceipt: {
            confirmationId: string;
            /** @enum {string} */
            type: "charge" | "refund";
            digest: string;
            amount: string;
            seq: string;
            previousHead: string;
            timestampMs: string;
            signature: string;
        };
        WithdrawalRequest: {
            address: string;
            destination: string;
            amount: string;
            proof: components["schemas"]["OwnerProof"];
        };
        Withdrawal: {
            /** Format: uuid */
            withdrawalId: string;
            /** @enum {string} */
            status: "pending" | "sent" | "completed" | "returned";
            address: string;
            destination: string;
            amount: string;
            /** Format: date-time */
            createdAt: string;
        };
        WithdrawalsReply: {
            withdrawals: components["schemas"]["Withdrawal"][];
            limit: number;
            next_cursor: string | null;
        };
        ApprovalsReply: {
            approvals: components["schemas"]["Approval"][];
            count: number;
            limit: number;
        };
        Approval: {
            id: string;
            from: string;
            to: string;
            amount: string;
            asset: string;
            resource: string;
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "used" | "expired";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        ApprovalDecisionRequest: {
            proof?: components["schemas"]["OwnerProof"];
        };
        AttestationReply: {
            version: number;
            /** @enum {string} */
            mode: "tdx" | "nitro" | "sev-snp" | "tdx-simulator" | "none";
            attested: boolean;
            isDevelopment: boolean;
            teePublicKey: string;
            keyEpoch: number;
            network: string;
            verifyingContract: string;
            nonce: string | null;
            reportData: string;
            quote: string | null;
            eventLog: {
                [key: string]: unknown;
            }[];
            measurements: {
                [key: string]: unknown;
            } | null;
            appId: string | null;
            composeHash: string | null;
            collateral?: {
                [key: string]: unknown;
            };
            ledger: components["schemas"]["LedgerPosition"];
            /** Format: date-time */
            issuedAt: string;
            /** Format: date-time */
            expiresAt: string;
            signature: string;
            warning?: string;
        };
        NanoVerifyRequest: {
            from?: string;
            to?: string;
            amount?: string;
            signature?: string;
            nonce?: string;
            validAfter?: string;
            validBefore?: string;
            asset?: string;
            network?: string;
            verifyingContract?: string;
            resourceHash?: string;
            resource?: string;
            /**
             * @default GET
             * @enum {string}
             */
            method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
            flags?: number;
            publicKey?: string;
            stateInit?: string;
            /**
             * @default raw
             * @enum {string}
             */
            signatureKind: "raw" | "tonconnect";
            domain?: string;
            timestamp?: string;
            session?: {
                [key: string]: unknown;
            };
            chain?: {
                [key: string]: unknown;
            };
            /**
             * @default capture
             * @enum {string}
             */
            mode: "capture" | "check";
            x402Version?: number;
            paymentPayload?: {
                [key: string]: unknown;
            };
            paymentRequirements?: {
                [key: string]: unknown;
            };
        };
        NanoVerifyReply: {
            isValid: boolean;
            success: boolean;
            payer?: string;
            invalidReason?: string;
            invalidMessage?: string;
            error?: string;
            confirmationId?: string;
            amount?: string;
            extra: {
                [key: string]: unknown;
            };
        };
        SettleRequest: {
            x402Version: number;
            paymentPayload: {
                [key: string]: unknown;
            };
            paymentRequirements: {
                [key: string]: unknown;
            };
        };
        SettleReply: {
            success: boolean;
            transaction: string;
            network: string;
            payer?: string;
            errorReason?: string;
            errorMessage?: string;
            amount?: string;
            extra: {
                [key: string]: unknown;
            };
        };
        SupportedReply: {
            kinds: components["schemas"]["SupportedKind"][];
            extensions: string[];
            signers: {
                [key: string]: string[];
            };
            receiptKeys?: string[];
        };
        SupportedKind: {
            x402Version: number;
            scheme: string;
            network: string;
            extra: {
                [key: string]: unknown;
            };
        };
        SandboxReply: {
            environment: string;
            gateway: string;
            chains: components["schemas"]["SandboxChain"][];
            accounts: components["schemas"]["SandboxAccount"][];
            networks: components["schemas"]["SandboxNetwork"][];
            merchant: components["schemas"]["SandboxMerchant"];
            simulators: {
                [key: string]: string;
            };
            smtp: string;
        };
        SandboxChain: {
            caip2: string;
            chainId: number;
            rpcUrl: string;
            payContract: string;
            payAbi: {
                [key: string]: unknown;
            }[];
            tokens: components["schemas"]["SandboxToken"][];
        };
        SandboxToken: {
            symbol: string;
            address: string | null;
            decimals: number;
        };
        SandboxAccount: {
            role: string;
            address: string;
            privateKey: string;
        };
        SandboxNetwork: {
            chain: string;
            family: string;
            rpcUrl: string;
            payContract: string;
            tokens: components["schemas"]["SandboxToken"][];
            accounts: components["schemas"]["SandboxAccount"][];
        };
        SandboxMerchant: {
            wallet: string;
            merchantId: string;
            key: string;
            secret: string;
        };
        LedgerDepositRequest: {
            deposit_address: string;
            deposit_memo?: string;
            amount: string;
        };
        LedgerDepositReply: {
            tx_hash: string;
        };
        SetPriceRequest: {
            symbol: string;
            usd: string;
            /** Format: date-time */
            frozen_at?: string;
        };
        SetPriceReply: {
            symbol: string;
            usd: string;
        };
        PassDeadlineRequest: {
            deposit_address: string;
            deposit_memo?: string;
        };
        PassDeadlineReply: {
            /** Format: date-time */
            deadline: string;
        };
        SetOutageRequest: {
            /** @enum {string} */
            mode: "up" | "down" | "slow";
            /** @enum {string} */
            provider?: "oneclick" | "across" | "lifi" | "reloadly" | "mailtm" | "agentmail" | "resend" | "sms-activate" | "fivesim" | "twilio" | "lithic" | "laso" | "toncenter" | "solana" | "tron" | "sui";
        };
        SetOutageReply: {
            /** @enum {string} */
            mode: "up" | "down" | "slow";
        };
        TonFaucetRequest: {
            address: string;
            ton?: string;
            usdt?: string;
        };
        TonFaucetReply: {
            address: string;
            usdt_master: string;
            tx_hash: string;
        };
        NanopayDepositRequest: {
            address: string;
            amount: string;
        };
        NanopayDepositReply: {
            address: string;
            deposit_address: string;
            tx_hash: string;
        };
        SandboxClockReply: {
            /** Format: date-time */
            now: string;
            ahead_ms: number;
        };
        AdvanceClockRequest: {
            by: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listChains: {
        parameters: {
            query?: {
                direct_only?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainsReply"];
                };
            };
        };
    };
    quotePayment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteReply"];
                };
            };
        };
    };
    quotePaymentOptions: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchQuoteRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchQuoteReply"];
                };
            };
        };
    };
    listMinimumAmounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MinAmountsReply"];
                };
            };
        };
    };
    getWalletBalances: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BalancesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalancesReply"];
                };
            };
        };
    };
    listCheckoutOptions: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutOptionsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutOptionsReply"];
                };
            };
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrderRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateOrderReply"];
                };
            };
        };
    };
    reportOrderTransaction: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportTransactionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportTransactionReply"];
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderReply"];
                };
            };
        };
    };
    getOrderWalletCall: {
        parameters: {
            query: {
                payer: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletCallReply"];
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query: {
                payer: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrdersReply"];
                };
            };
        };
    };
    getDepositStatus: {
        parameters: {
            query: {
                deposit_address: string;
                deposit_memo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SwapReply"];
                };
            };
        };
    };
    quoteSwap: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwapQuoteRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** Format: uuid */
                        quoteId: string;
                        data: components["schemas"]["SwapQuoteReply"];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    quoteSwapBySale: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwapQuoteRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** Format: uuid */
                        quoteId: string;
                        data: components["schemas"]["SwapQuoteReply"];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    buildSwap: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuildRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["BuiltSet"];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    executeSwap: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecuteRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ExecutedSet"];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    getSwapStatus: {
        parameters: {
            query?: {
                includeDetails?: boolean;
            };
            header?: never;
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TransactionStatus"];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    buildSwaps: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["BatchReply"];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    listPaymentRequests: {
        parameters: {
            query?: {
                status?: "pending" | "processing" | "completed" | "expired" | "canceled";
                from?: string;
                to?: string;
                limit?: number;
                cursor?: string;
            };
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequestsReply"];
                };
            };
        };
    };
    createPaymentRequest: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequestReply"];
                };
            };
        };
    };
    getPaymentRequest: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequestReply"];
                };
            };
        };
    };
    cancelPaymentRequest: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelPaymentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequestReply"];
                };
            };
        };
    };
    setPaymentRequestReceiveAddress: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetReceiveAddressRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequestReply"];
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                status?: "executing" | "completed" | "failed" | "expired";
                currency?: string;
                chain?: string;
                from?: string;
                to?: string;
                limit?: number;
                cursor?: string;
            };
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentsReply"];
                };
            };
        };
    };
    getMerchantStats: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsReply"];
                };
            };
        };
    };
    getPayablePaymentRequest: {
        parameters: {
            query?: {
                payer_address?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDetailsReply"];
                };
            };
        };
    };
    startPayment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecutePaymentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutePaymentReply"];
                };
            };
        };
    };
    getPaymentStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentStatusReply"];
                };
            };
        };
    };
    getMerchantOverview: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverviewReply"];
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                q?: string;
                type?: "payment" | "refund";
                status?: "pending" | "completed" | "failed" | "expired" | "reversed";
                token?: string;
                network?: string;
                from?: string;
                to?: string;
                cursor?: string;
                limit?: number;
            };
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionRecord"][];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionRecord"];
                };
            };
        };
    };
    proveLedger: {
        parameters: {
            query?: {
                segment?: number;
            };
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerProofReply"];
                };
            };
        };
    };
    listLedgerEntries: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntriesReply"];
                };
            };
        };
    };
    listPayLinks: {
        parameters: {
            query?: {
                active?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayLink"][];
                };
            };
        };
    };
    createPayLink: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePayLinkRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayLink"];
                };
            };
        };
    };
    setPayLinkActive: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TogglePayLinkRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayLink"];
                };
            };
        };
    };
    deletePayLink: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayLinkDeleted"];
                };
            };
        };
    };
    getPublicPayLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPayLink"];
                };
            };
        };
    };
    startPayLinkCheckout: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayLinkCheckoutRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayLinkCheckout"];
                };
            };
        };
    };
    reportPayLinkPayment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordPaymentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordPaymentReply"];
                };
            };
        };
    };
    listPayLinkPayments: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "x-wallet"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayLinkPayment"][];
                };
            };
        };
    };
    confirmPayLinkPayment: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecidePaymentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayLinkPayment"];
                };
            };
        };
    };
    rejectPayLinkPayment: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecidePaymentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayLinkPayment"];
                };
            };
        };
    };
    listExceptions: {
        parameters: {
            query?: {
                status?: "open" | "resolved";
                kind?: "partial" | "overpaid" | "excess" | "late" | "inactive" | "other_token" | "other_network" | "plain_transfer" | "second_payment" | "refund";
                limit?: number;
                cursor?: string;
            };
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExceptionsReply"];
                };
            };
        };
    };
    resolveException: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExceptionQuery"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentException"];
                };
            };
        };
    };
    createReceiverChallenge: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceiverChallengeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverChallengeReply"];
                };
            };
        };
    };
    verifyReceiver: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyReceiverRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receiver"];
                };
            };
        };
    };
    listReceivers: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receiver"][];
                };
            };
        };
    };
    deleteReceiver: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverDeleted"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header: {
                "x-wallet": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyView"][];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header: {
                "x-wallet": string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateKeyReply"];
                };
            };
        };
    };
    setApiKeyEnabled: {
        parameters: {
            query?: never;
            header: {
                "x-wallet": string;
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToggleKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyView"];
                };
            };
        };
    };
    regenerateApiKey: {
        parameters: {
            query?: never;
            header: {
                "x-wallet": string;
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegenerateKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegenerateKeyReply"];
                };
            };
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header: {
                "x-wallet": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteKeyReply"];
                };
            };
        };
    };
    listApiKeySpends: {
        parameters: {
            query?: {
                month?: string;
                limit?: number;
                cursor?: string;
            };
            header: {
                "x-wallet": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpendsReply"];
                };
            };
        };
    };
    createSignInChallenge: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChallengeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChallengeReply"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyReply"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header: {
                "x-wallet": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsReply"];
                };
            };
        };
    };
    revokeAllSessions: {
        parameters: {
            query?: never;
            header: {
                "x-wallet": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionRevokedReply"];
                };
            };
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header: {
                "x-wallet": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionRevokedReply"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    replaceSettings: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteSettings: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsDeleted"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                status?: "pending" | "delivered" | "failing" | "parked";
                type?: "order.created" | "order.settling" | "order.settled" | "order.reopened" | "order.failed" | "order.exception" | "order.expired" | "order.reorged" | "order.refunded" | "payment.executing" | "payment.completed" | "payment.failed" | "payment.expired" | "paylink.paid" | "paylink.payment_unverifiable" | "paylink.payment_rejected" | "paylink.payment_reverted" | "payment.exception" | "transaction.completed" | "transaction.failed" | "purchase.completed" | "purchase.failed" | "key.budget_warning" | "key.budget_reached" | "payout.updated" | "webhook.test";
                limit?: number;
                cursor?: string;
            };
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhooksReply"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointReply"];
                };
            };
        };
    };
    listWebhookTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTypesReply"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDetails"];
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookQuery"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookMessage"];
                };
            };
        };
    };
    listenToWebhooks: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListenToWebhooksRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListenToWebhooksReply"];
                };
            };
        };
    };
    sendTestWebhook: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestReply"];
                };
            };
        };
    };
    resumeWebhooks: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoWebhookFields"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointReply"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecretReply"];
                };
            };
        };
    };
    listServices: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogReply"];
                };
            };
        };
    };
    searchServices: {
        parameters: {
            query?: {
                q?: string;
                category?: string;
            };
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogSearchReply"];
                };
            };
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogService"];
                };
            };
        };
    };
    previewPayout: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutPreview"];
                };
            };
        };
    };
    submitPayout: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutReply"];
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                state?: "awaiting_approval" | "sending" | "completed" | "partly_paid" | "failed" | "rejected" | "expired";
                limit?: number;
                cursor?: string;
            };
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutsReply"];
                };
            };
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRecord"];
                };
            };
        };
    };
    approvePayout: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutApproval"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDecision"];
                };
            };
        };
    };
    rejectPayout: {
        parameters: {
            query?: never;
            header?: {
                "x-wallet"?: string;
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutQuery"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDecision"];
                };
            };
        };
    };
    listEmailDomains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailDomainsReply"];
                };
            };
        };
    };
    createEmailAccount: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailAccount"];
                };
            };
        };
    };
    listEmailMessages: {
        parameters: {
            query?: {
                token?: string;
                page?: number;
            };
            header?: {
                "x-email-token"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailMessagesReply"];
                };
            };
        };
    };
    getEmailMessage: {
        parameters: {
            query?: {
                token?: string;
            };
            header?: {
                "x-email-token"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailMessageDetails"];
                };
            };
        };
    };
    createEmailAccountAndWait: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailAccountAndWaitRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailAccountAndWaitReply"];
                };
            };
        };
    };
    createAgentInbox: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentInboxRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentInbox"];
                };
            };
        };
    };
    sendFromAgentInbox: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentSendRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentSendReply"];
                };
            };
        };
    };
    sendEmail: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailSendRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailSendReply"];
                };
            };
        };
    };
    createAgentEmailAddress: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentEmailRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentEmailReply"];
                };
            };
        };
    };
    listGiftCards: {
        parameters: {
            query?: {
                country?: string;
                page?: number;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GiftCardProduct"][];
                };
            };
        };
    };
    orderGiftCard: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiftCardOrderRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GiftCardOrder"];
                };
            };
        };
    };
    detectMobileOperator: {
        parameters: {
            query: {
                phone: string;
                country: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AirtimeOperator"];
                };
            };
        };
    };
    topUpPhone: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopUpRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopUp"];
                };
            };
        };
    };
    listBillers: {
        parameters: {
            query?: {
                country?: string;
                type?: string;
                page?: number;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Biller"][];
                };
            };
        };
    };
    payBill: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayBillRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillPayment"];
                };
            };
        };
    };
    getServiceBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceBalance"];
                };
            };
        };
    };
    rentPhoneNumber: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RentNumberRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VirtualNumber"];
                };
            };
        };
    };
    getSmsCode: {
        parameters: {
            query?: never;
            header?: {
                "Purchase-Token"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeStatus"];
                };
            };
        };
    };
    rentPhoneNumberAndAwaitCode: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AwaitCodeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AwaitedCode"];
                };
            };
        };
    };
    sendSms: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendSmsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentSms"];
                };
            };
        };
    };
    buyCard: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetCardRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewCard"];
                };
            };
        };
    };
    revealCard: {
        parameters: {
            query: {
                card_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardData"];
                };
            };
        };
    };
    listCards: {
        parameters: {
            query: {
                wallet: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyCardsReply"];
                };
            };
        };
    };
    getNanoPaymentBalance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NanoBalance"];
                };
            };
        };
    };
    getNanoPaymentStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NanoStats"];
                };
            };
        };
    };
    setNanoPaymentPolicy: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    getNanoPaymentPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    cancelNanoPayment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cancellation"];
                };
            };
        };
    };
    getNanoPaymentReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NanoPayment"];
                };
            };
        };
    };
    listNanoPaymentWithdrawals: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalsReply"];
                };
            };
        };
    };
    withdrawNanoPaymentBalance: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"];
                };
            };
        };
    };
    getNanoPaymentWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"];
                };
            };
        };
    };
    listNanoPaymentApprovals: {
        parameters: {
            query?: {
                status?: "pending" | "approved" | "rejected" | "used" | "expired";
                address?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalsReply"];
                };
            };
        };
    };
    approveNanoPayment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalDecisionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    rejectNanoPayment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalDecisionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    getAttestation: {
        parameters: {
            query?: {
                nonce?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttestationReply"];
                };
            };
        };
    };
    verifyNanoPayment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NanoVerifyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NanoVerifyReply"];
                };
            };
        };
    };
    settleNanoPayment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettleRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettleReply"];
                };
            };
        };
    };
    listSupportedPayments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupportedReply"];
                };
            };
        };
    };
    getSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxReply"];
                };
            };
        };
    };
    simulateSwapDeposit: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LedgerDepositRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerDepositReply"];
                };
            };
        };
    };
    setTokenPrice: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPriceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetPriceReply"];
                };
            };
        };
    };
    expireSwapDeadline: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PassDeadlineRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PassDeadlineReply"];
                };
            };
        };
    };
    setProviderOutage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetOutageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetOutageReply"];
                };
            };
        };
    };
    fundTonAccount: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TonFaucetRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TonFaucetReply"];
                };
            };
        };
    };
    simulateNanoPaymentDeposit: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NanopayDepositRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NanopayDepositReply"];
                };
            };
        };
    };
    getSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClockReply"];
                };
            };
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceClockRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClockReply"];
                };
            };
        };
    };
    exportTransactions: {
        parameters: {
            query?: {
                q?: string;
                type?: "payment" | "refund";
                status?: "pending" | "completed" | "failed" | "expired" | "reversed";
                token?: string;
                network?: string;
                from?: string;
                to?: string;
                cursor?: string;
            };
            header?: {
                "x-wallet"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    sendPaymentFrame: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    buyDemoResource: {
        parameters: {
            query?: never;
            header?: {
                "Payment-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        city: string;
                        celsius: number;
                        sky: string;
                        payment: Record<string, never>;
                    };
                };
            };
        };
    };
    openTransactionStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    followOrder: {
        parameters: {
            query?: {
                last_event_id?: string;
            };
            header?: {
                "last-event-id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    followPayment: {
        parameters: {
            query?: {
                last_event_id?: string;
            };
            header?: {
                "last-event-id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    openCheckout: {
        parameters: {
            query?: {
                lang?: string;
                payer?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    reopenCheckout: {
        parameters: {
            query?: {
                lang?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    submitCheckout: {
        parameters: {
            query?: {
                lang?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    from_token: string;
                    from_chain: string;
                    payer_address?: string;
                };
            };
        };
        responses: never;
    };
    openPaymentPage: {
        parameters: {
            query?: {
                lang?: string;
                payer?: string;
            };
            header?: never;
            path: {
                id: string;
                payment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    openReceipt: {
        parameters: {
            query?: {
                lang?: string;
            };
            header?: never;
            path: {
                id: string;
                payment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    openReceiptPdf: {
        parameters: {
            query?: {
                lang?: string;
            };
            header?: never;
            path: {
                id: string;
                payment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getPaymentQrCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
        };
    };
    openPayLink: {
        parameters: {
            query?: {
                lang?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    submitPayLink: {
        parameters: {
            query?: {
                lang?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    txHash: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    reopenPayLink: {
        parameters: {
            query?: {
                lang?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    openPayLinkCheckout: {
        parameters: {
            query?: {
                lang?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    key?: string;
                    amount?: string;
                };
            };
        };
        responses: never;
    };
    describeSolanaPay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        label: string;
                        icon: string;
                    };
                };
            };
        };
    };
    makeSolanaPayTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    account: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        transaction: string;
                        message: string;
                    };
                };
            };
        };
    };
    listSoldResources: {
        parameters: {
            query?: {
                type?: string;
                payTo?: string;
                scheme?: string;
                network?: string;
                extensions?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        x402Version: number;
                        items: {
                            resource: string;
                            type: string;
                            x402Version: number;
                            accepts: Record<string, never>[];
                            priceUsd?: string;
                            isFrom?: boolean;
                            /** Format: date-time */
                            lastUpdated: string;
                            description?: string;
                            mimeType?: string;
                            extensions: Record<string, never>;
                        }[];
                        pagination: {
                            limit: number;
                            offset: number;
                            total: number;
                        };
                    };
                };
            };
        };
    };
}
