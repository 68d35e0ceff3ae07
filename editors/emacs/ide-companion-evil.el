;;; ide-companion-evil.el --- Vi keys in proposals and lists  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Evil's normal state would hide the keys of lists, and its `:w' finds no file
;; in a proposal.  Evil is a separate package: nothing here needs it before it
;; is loaded.

;;; Code:

(require 'ide-companion-decision)
(require 'ide-companion-proposal)

(declare-function evil-define-key* "evil-core")

(defconst ide-companion--evil-writes
  '(evil-write evil-save-and-close evil-save-modified-and-close)
  "The commands of `:w', of `:wq', and of `:x' and `ZZ'.")

(defun ide-companion--evil-accept (&rest arguments)
  "Accept the proposal of this buffer, unless ARGUMENTS name lines or a file.
Return whether this is one.  The window closes with the decision."
  (when (and ide-companion--proposal
             (not (or (integerp (car arguments))
                      (seq-some #'stringp arguments))))
    (ide-companion-accept)
    t))

(defun ide-companion--evil-write-proposals ()
  "Let Evil accept a proposal when it is asked to write one."
  (when (featurep 'evil)
    (dolist (command ide-companion--evil-writes)
      (advice-add command :before-until #'ide-companion--evil-accept))))

(defun ide-companion--evil-list-keys (map)
  "Let Evil's normal state have the keys of MAP, which belongs to a list.
There `k' goes up and `g' begins other keys, as everywhere in Evil."
  (when (featurep 'evil)
    (map-keymap-internal ; without those of its parent
     (lambda (key command)
       (evil-define-key* 'normal map (if (eq key ?k) "x" (vector key)) command))
     map)
    (evil-define-key* 'normal map "q" #'quit-window "gr" #'revert-buffer)))

(provide 'ide-companion-evil)
;;; ide-companion-evil.el ends here
