;;; ide-companion.el --- Review what agent CLIs propose -*- lexical-binding: t; -*-

;; Author: The ide-companion authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, convenience, processes
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Makes Emacs the IDE of Gemini CLI, Qwen Code and every other agent CLI
;; with an IDE mode.  The agent knows which files are open, where point is
;; and what the region holds.  Its proposals open here as diffs that you
;; edit, accept or reject.
;;
;; It needs the program (`npm install --global ide-companion') and, in your
;; init file,
;;
;;   (ide-companion-mode 1)
;;
;; Then start `gemini' or `qwen' in any terminal in the same project, or
;; here by M-x ide-companion-run.  In a proposal:
;;
;;   C-c C-c  C-x C-s   accept it, with your edits
;;   C-c C-k  C-x k     reject it
;;   C-c C-n  C-c C-p   next and previous change
;;   C-c C-r            revert the change at point
;;   M-n      M-p       go to the next, the previous proposal that waits
;;   C-c C-o            edit your own version, when the agent takes no edits
;;   C-c ;              comment on the line at point, or on those of the region
;;   C-c C-w  C-c C-a   reject it and say why, accept it and ask for more:
;;                      both send your comments
;;
;; M-x ide-companion-proposals lists all that wait.  M-x ide-companion-edits
;; lists recovered edits: text that you typed in a proposal and that is in no
;; file.  M-x ide-companion-history lists what was decided earlier.  M-x ide-companion-comments lists comments that no agent has received.
;; M-x ide-companion-written lists what agents wrote without asking, and
;; M-x ide-companion-next-written goes to it in its files.
;; M-x ide-companion-doctor shows what is missing.
;; M-x customize-group RET ide-companion shows the options.

;;; Code:

(require 'ide-companion-comments)
(require 'ide-companion-context)
(require 'ide-companion-custom)
(require 'ide-companion-decision)
(require 'ide-companion-doctor)
(require 'ide-companion-list)
(require 'ide-companion-log)
(require 'ide-companion-review)
(require 'ide-companion-roots)
(require 'ide-companion-send)
(require 'ide-companion-server)
(require 'ide-companion-status)
(require 'ide-companion-written)
(require 'ide-companion-terminal)
(require 'ide-companion-windows)

(defconst ide-companion--hooks
  '((post-command-hook . ide-companion--on-command)
    (window-selection-change-functions . ide-companion--on-focus)
    (window-buffer-change-functions . ide-companion--on-files)
    (find-file-hook . ide-companion--on-files)
    (after-save-hook . ide-companion--on-saved)
    (after-set-visited-file-name-hook . ide-companion--on-files)
    (kill-buffer-hook . ide-companion--on-killed)
    (post-command-hook . ide-companion--when-calm-soon)
    (kill-emacs-query-functions . ide-companion--ask-before-exit)
    (kill-emacs-hook . ide-companion--on-exit)))

(defun ide-companion--watch ()
  "Follow what the user does."
  (pcase-dolist (`(,hook . ,function) ide-companion--hooks)
    (add-hook hook function))
  (add-function :after after-focus-change-function #'ide-companion--on-focus)
  (unless ide-companion--idle-timer
    (setq ide-companion--idle-timer
          (run-with-idle-timer ide-companion--pause t #'ide-companion--on-pause)))
  (ide-companion--on-focus))

(defun ide-companion--unwatch ()
  "Stop following what the user does."
  (pcase-dolist (`(,hook . ,function) ide-companion--hooks)
    (remove-hook hook function))
  (remove-function after-focus-change-function #'ide-companion--on-focus)
  (cancel-timer ide-companion--timer)
  (when ide-companion--idle-timer
    (cancel-timer ide-companion--idle-timer))
  (setq ide-companion--pending nil
        ide-companion--idle-timer nil))

(defvar ide-companion-command-map
  (let ((map (make-sparse-keymap)))
    (define-key map "a" #'ide-companion-accept)
    (define-key map "k" #'ide-companion-reject)
    (define-key map "o" #'ide-companion-edit)
    (define-key map "n" #'ide-companion-next-proposal)
    (define-key map "b" #'ide-companion-previous-proposal)
    (define-key map "i" #'ide-companion-proposals)
    (define-key map "x" #'ide-companion-accept-rest)
    (define-key map "y" #'ide-companion-accept-ahead)
    (define-key map "Y" #'ide-companion-stop-ahead)
    (define-key map "h" #'ide-companion-history)
    (define-key map "g" #'ide-companion-written)
    (define-key map "." #'ide-companion-next-written)
    (define-key map "," #'ide-companion-previous-written)
    (define-key map "+" #'ide-companion-keep-written)
    (define-key map "-" #'ide-companion-revert-written)
    (define-key map "A" #'ide-companion-accept-all)
    (define-key map "K" #'ide-companion-reject-all)
    (define-key map "w" #'ide-companion-say-why)
    (define-key map "m" #'ide-companion-ask-more)
    (define-key map "e" #'ide-companion-edits)
    (define-key map "c" #'ide-companion-comments)
    (define-key map "p" #'ide-companion-pause)
    (define-key map "P" #'ide-companion-resume)
    (define-key map "v" #'ide-companion-review)
    (define-key map "V" #'ide-companion-page)
    (define-key map "r" #'ide-companion-run)
    (define-key map "R" #'ide-companion-continue)
    (define-key map "u" #'ide-companion-toggle)
    (define-key map "j" #'ide-companion-focus)
    (define-key map "s" #'ide-companion-send)
    (define-key map "f" #'ide-companion-send-files)
    (define-key map "t" #'ide-companion-send-text)
    (define-key map "d" #'ide-companion-send-diagnostics)
    (define-key map "?" #'ide-companion-doctor)
    (define-key map "l" #'ide-companion-log)
    map)
  "Keys that work everywhere; bind this map to a prefix of your choice.")
(fset 'ide-companion-command-map ide-companion-command-map)

;;;###autoload
(define-minor-mode ide-companion-mode
  "Make this Emacs the IDE of agent CLIs."
  :global t
  :group 'ide-companion
  :lighter ide-companion-lighter
  (setq ide-companion--wanted ide-companion-mode)
  (ide-companion--update-lighter)
  (if ide-companion-mode
      (ide-companion--watch)
    (ide-companion--unwatch)
    (ide-companion-stop)))

(provide 'ide-companion)
;;; ide-companion.el ends here
