;;; ide-companion-proposal.el --- Proposals that wait for a decision  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The list of proposals, and the drafts of what the user types in them.

;;; Code:

(eval-when-compile
  (require 'cl-lib))
(require 'ide-companion-custom)
(require 'ide-companion-log)
(require 'ide-companion-rpc)
(require 'ide-companion-status)
(require 'ide-companion-text)

(cl-defstruct (ide-companion--proposal
               (:constructor ide-companion--make-proposal)
               (:copier nil))
  id agent path label original notes
  (buffer nil :documentation "Where the proposal is edited.")
  (base nil :documentation "The buffer of what it is compared with.")
  (hunks nil :documentation "Where it differs from the file, as the program says.")
  (compared nil :documentation "The tick of its buffer when it had the text of the hunks.")
  (read-only-reason nil :documentation "Why its agent takes no edits, as a sentence.")
  (own-version nil :documentation "Whether the user edits it although its agent takes no edits.")
  (comments nil :documentation "What the user has written about it, as the program has it.")
  (ediff nil :documentation "The control buffer of an Ediff session.")
  (offered nil :documentation "Whether it waits for the user, and is not accepted ahead.")
  (deciding nil :documentation "Whether a decision is on its way.")
  (decided-text nil :documentation "What was decided about: (TEXT . EDITED); its buffer may be killed.")
  (facts nil :documentation "What acceptance costs, and what a diff shows badly, in a few words each.")
  (words nil :documentation "What has become of the file on disk: a sentence, a few words, and fewer.")
  (typed-at 0 :documentation "When the user has typed in it last."))

(defvar ide-companion--proposals nil "The proposals that wait for a decision, oldest first.")

(defvar ide-companion--proposals-hook nil "Run when another list of proposals waits.")

(defvar-local ide-companion--proposal nil "The proposal of this buffer.")
(put 'ide-companion--proposal 'permanent-local t)

(defun ide-companion--event (hook proposal)
  "Run HOOK for PROPOSAL."
  (ide-companion--guarded
   #'run-hook-with-args hook
   (list :id (ide-companion--proposal-id proposal)
         :agent (ide-companion--proposal-agent proposal)
         :path (ide-companion--proposal-path proposal)
         :buffer (ide-companion--proposal-buffer proposal))))

(defun ide-companion--expect (params)
  "The proposal that PARAMS name."
  (let ((id (plist-get params :id)))
    (or (seq-find (lambda (proposal) (equal id (ide-companion--proposal-id proposal)))
                  ide-companion--proposals)
        (error "No diff %s is open" id))))

(defun ide-companion--proposal-text (proposal)
  "The text of PROPOSAL as it stands, the user's edits included."
  (ide-companion--unicode (ide-companion--get-text (ide-companion--proposal-buffer proposal))))

(defun ide-companion--edited-p (proposal)
  "Whether the user has typed into PROPOSAL."
  (buffer-modified-p (ide-companion--proposal-buffer proposal)))

(defun ide-companion--typing-p (proposal)
  "Whether the user types in PROPOSAL: in the last two seconds, and is there."
  (and (eq (ide-companion--proposal-buffer proposal) (window-buffer))
       (< (- (float-time) (ide-companion--proposal-typed-at proposal)) 2)))

(defun ide-companion--set-proposals (proposals)
  "From now on PROPOSALS wait."
  (setq ide-companion--proposals proposals)
  (ide-companion--guarded #'run-hooks 'ide-companion--proposals-hook))

(defun ide-companion--forget (proposal)
  "PROPOSAL no longer waits."
  (ide-companion--set-proposals (delq proposal ide-companion--proposals)))

(defun ide-companion--first-shown (frames)
  "The oldest proposal with a window on FRAMES, as `get-buffer-window' takes them."
  (seq-find (lambda (proposal)
              (get-buffer-window (ide-companion--proposal-buffer proposal) frames))
            ide-companion--proposals))

(defun ide-companion--current ()
  "The proposal of this buffer, else a visible one, else the oldest.
One in this frame comes before one in another."
  (or ide-companion--proposal
      (ide-companion--first-shown nil)
      (ide-companion--first-shown t)
      (car ide-companion--proposals)
      (ide-companion--nothing-here)))

(defun ide-companion--read-only-p (proposal)
  "Whether the user may not edit PROPOSAL."
  (and (ide-companion--proposal-read-only-reason proposal)
       (not (ide-companion--proposal-own-version proposal))))

(defun ide-companion--facts (proposal)
  "What the user has to know of PROPOSAL before all else, in a few words each."
  (let ((buffer (ide-companion--buffer-of (ide-companion--proposal-path proposal))))
    (append (ide-companion--proposal-facts proposal)
            (last (ide-companion--proposal-words proposal))
            (and (ide-companion--read-only-p proposal) '("read-only"))
            (and buffer (buffer-modified-p buffer) '("without your unsaved edits")))))

(defun ide-companion--take-facts (proposal params)
  "Take into PROPOSAL where it differs from its file, of PARAMS of the program.
PARAMS are about the text that its buffer has now."
  (setf (ide-companion--proposal-compared proposal)
        (with-current-buffer (ide-companion--proposal-buffer proposal) (buffer-chars-modified-tick))
        (ide-companion--proposal-hunks proposal) (append (plist-get params :hunks) nil)
        (ide-companion--proposal-facts proposal) (append (plist-get params :facts) nil)))

(defun ide-companion--update-read-only (proposal)
  "Let the user type into PROPOSAL as long as that can reach its agent.
What is typed after the decision would be lost."
  (let ((buffer (ide-companion--proposal-buffer proposal)))
    (when (buffer-live-p buffer)
      (with-current-buffer buffer
        (setq buffer-read-only (or (ide-companion--read-only-p proposal)
                                   (ide-companion--proposal-deciding proposal)
                                   (not (memq proposal ide-companion--proposals))))
        (force-mode-line-update)))))

(defvar ide-companion--compared-functions nil "Called with a proposal of which the hunks are known.")

(defvar-local ide-companion--drafting nil "The timer that sends what was typed.")

(defun ide-companion--draft-soon ()
  "Send the text of this buffer to the program soon, for recovery."
  (unless ide-companion--drafting
    (setq ide-companion--drafting
          ;; Sending a megabyte takes a while.
          (run-with-timer (+ 0.05 (/ (buffer-size) 2000000.0)) nil #'ide-companion--guarded
                          #'ide-companion--send-draft (current-buffer)))))

(defun ide-companion--take-draft (buffer)
  "What to send about the proposal in BUFFER, if its text waits to be sent."
  (when (and (buffer-live-p buffer) (buffer-local-value 'ide-companion--drafting buffer))
    (with-current-buffer buffer
      (cancel-timer ide-companion--drafting)
      (setq ide-companion--drafting nil)
      (when (and (memq ide-companion--proposal ide-companion--proposals)
                 (ide-companion--ready-p))
        (list :id (ide-companion--proposal-id ide-companion--proposal)
              :content (ide-companion--proposal-text ide-companion--proposal))))))

(defun ide-companion--send-draft (buffer)
  "Send the text of the proposal in BUFFER, if it waits to be sent."
  (let ((draft (ide-companion--take-draft buffer)))
    (when draft
      (let ((tick (with-current-buffer buffer (buffer-chars-modified-tick))))
        (ide-companion--ask :companion/draft draft
                            (lambda (answer _) (ide-companion--on-compared buffer tick answer)))))))

(defun ide-companion--on-compared (buffer tick answer)
  "Take the ANSWER about the proposal in BUFFER, unless its TICK is another one.
What is drawn stays until the answer about the last key."
  (when (and answer (buffer-live-p buffer))
    (with-current-buffer buffer
      (when (= tick (buffer-chars-modified-tick))
        (ide-companion--take-facts ide-companion--proposal answer)
        (setf (ide-companion--proposal-comments ide-companion--proposal)
              (append (plist-get answer :comments) nil))
        (run-hook-with-args 'ide-companion--compared-functions ide-companion--proposal)))))

(defun ide-companion--compare (proposal)
  "Have PROPOSAL compared as it stands."
  (with-current-buffer (ide-companion--proposal-buffer proposal)
    (let ((tick (buffer-chars-modified-tick)))
      (unless (eq tick (ide-companion--proposal-compared proposal))
        (when ide-companion--drafting
          (cancel-timer ide-companion--drafting)
          (setq ide-companion--drafting nil))
        (ide-companion--on-compared
         (current-buffer) tick
         (ide-companion--fetch :companion/draft (list :id (ide-companion--proposal-id proposal)
                                                      :content (ide-companion--proposal-text proposal))))))))

(defun ide-companion--send-drafts ()
  "Send typed text of proposals that was not sent yet."
  (dolist (proposal ide-companion--proposals)
    (ide-companion--guarded #'ide-companion--send-draft (ide-companion--proposal-buffer proposal))))

(provide 'ide-companion-proposal)
;;; ide-companion-proposal.el ends here
