// Activations, numbered as package program numbers them: 0 identity, 1 GELU, 2 ReLU, 3 sigmoid.

// relu is max(x, 0), but for what is not finite: of NaN and of -infinity it makes NaN, where max makes 0, so that an
// overflow in half width shows in the result.
vec4 relu(vec4 x) { return 0.5 * (x + abs(x)); }

// gelu is x times the normal distribution function of x, as relu(x) - |x| * tail(|x|). log2 of the tail at -a is a
// polynomial on [0, 6], fitted by weighted minimax so that a * 2^polynomial is within 1e-7 of a * tail.
vec4 gelu(vec4 x) {
    vec4 a = min(abs(x), vec4(6.0));
    vec4 q = -0.9999929070472717 + a * (-1.1512033939361572 + a * (-0.4587647318840027 + a * (-0.05342184752225876 +
        a * (0.008088025264441967 + a * (-0.0007717953994870186 + a * 3.3433057978982106e-05)))));
    return relu(x) - a * exp2(q);
}

vec4 activate(vec4 x, uint act) {
    if (act == 0u) {
        return x;
    }
    if (act == 1u) {
        return gelu(x);
    }
    if (act == 2u) {
        return relu(x);
    }
    return 1.0 / (1.0 + exp2(-1.4426950408889634 * x));
}
