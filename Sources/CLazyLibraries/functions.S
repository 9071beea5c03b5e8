/* The functions of functions.inc: each jumps to the address in its record. At first that is code which binds the
* function. It preserves all registers as the caller set them, since any may hold arguments. */

#define LIBRARY(variable) .set library, leaflog_##variable
#define FUNCTION(name) function name

#if defined(__x86_64__)

.macro function name
  .globl \name
  .hidden \name
  .type \name, @function
\name:
  jmp *.Lrecord_\name(%rip)
.Lunbound_\name:
  leaq .Lrecord_\name(%rip), %r11
  jmp bind
  .size \name, . - \name
  record \name
.endm

#elif defined(__aarch64__)

.macro function name
  .globl \name
  .hidden \name
  .type \name, %function
\name:
  adrp x16, .Lrecord_\name
  ldr x17, [x16, :lo12:.Lrecord_\name]
  br x17
.Lunbound_\name:
  adrp x16, .Lrecord_\name
  add x16, x16, :lo12:.Lrecord_\name
  b bind
  .size \name, . - \name
  record \name
.endm

#else
#error "Functions that are bound when they are first called are written for x86-64 and AArch64."
#endif

.macro record name
  .section .rodata.names, "a"
.Lname_\name:
  .asciz "\name"
  .section .data.rel.records, "aw"
.Lrecord_\name:
  .quad .Lunbound_\name
  .quad .Lname_\name
  .quad library
  .text
.endm

  .section .data.rel.records, "aw"
  .balign 8
  .globl leaflog_functions
  .hidden leaflog_functions
leaflog_functions:
  .text

#include "functions.inc"

  .section .data.rel.records, "aw"
  .globl leaflog_functions_end
  .hidden leaflog_functions_end
leaflog_functions_end:
  .text

#if defined(__x86_64__)

/* %r11 points to the record. System V ABI, AMD64 supplement 1.0, 3.2.3: arguments are in six general registers and
* eight of floating point; %al has the number of the latter for a variadic function. */
bind:
  .cfi_startproc
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %rax
  subq $128, %rsp
  .cfi_def_cfa_offset 192
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7
  movups %xmm\n, 16 * \n(%rsp)
  .endr
  movq %r11, %rdi
  call leaflog_bind
  movq %rax, %r11
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7
  movups 16 * \n(%rsp), %xmm\n
  .endr
  addq $128, %rsp
  popq %rax
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  .cfi_def_cfa_offset 8
  jmp *%r11
  .cfi_endproc

#else

/* x16 points to the record. Procedure Call Standard for the Arm 64-bit Architecture, 6.8.2: arguments are in x0 to x7
* and v0 to v7; x8 has the address for an indirect result. */
bind:
  .cfi_startproc
  stp x29, x30, [sp, #-224]!
  .cfi_def_cfa_offset 224
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]
  stp q0, q1, [sp, #96]
  stp q2, q3, [sp, #128]
  stp q4, q5, [sp, #160]
  stp q6, q7, [sp, #192]
  mov x0, x16
  bl leaflog_bind
  mov x16, x0
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldr x8, [sp, #80]
  ldp q0, q1, [sp, #96]
  ldp q2, q3, [sp, #128]
  ldp q4, q5, [sp, #160]
  ldp q6, q7, [sp, #192]
  ldp x29, x30, [sp], #224
  .cfi_def_cfa_offset 0
  br x16
  .cfi_endproc

#endif

  .section .note.GNU-stack, "", %progbits
